#### create.sh
#!/usr/bin/env bash
# Step 1: create.sh DB, a history with one row a message.
#
# - Where there is no table `inbox_log`, it creates one, empty and ready for use.
# - Where the table is there already, it succeeds and leaves every row as it is.
# - The columns are msg_id, biz_key, status, response and created_at, in this order.
# - The table itself lets no `msg_id` in twice; it is compared character by character, and nothing
#   else has to be unique.
#
# Judge by: What the application forgets, the constraint still refuses.
echo 'create.sh: step 1 is not written yet' >&2
exit 1

#### apply.sh
#!/usr/bin/env bash
# Step 3: apply.sh DB JSON, load a message once. JSON is the name of a file.
#
# - The message is a JSON object with a text as `msg_id` and one as `order_no`. A new one gets a
#   row, with its order number as `biz_key`; the first line is `applied`, and the exit code 0.
# - A message whose `msg_id` is there changes nothing; the first line is `duplicate`, and the exit
#   code is 0 too.
# - Ids are stored and compared as they are written, whatever signs they have.
# - `created_at` is the time of loading in UTC, as `datetime('now')` writes it.
# - What is no message, or cannot be stored, is an error: another exit code than 0.
#
# Judge by: The insert itself says which of the two it was; nobody looks first.
#
# Step 4: load them all.
#
# - Of many messages each `msg_id` has one row, and every further message with it is a duplicate.
# - Two messages about one order are two messages, and both are loaded.
#
# Judge by: Rows = distinct ids. Fewer: something was swallowed. More: something came in twice.
#
# Step 7: store the response and return it.
#
# - The answer to a new message is stored as JSON in `response`, and printed as line 2.
# - A duplicate is answered with what was stored the first time, even if its body is another.
# - All that ask at once hear the same answer.
#
# Judge by: A sender that never got its answer gets that one, and not a new one.
echo 'apply.sh: step 3 is not written yet' >&2
exit 1

#### race.sh
#!/usr/bin/env bash
# Step 5: race.sh DB JSON, ten at once.
#
# - It starts the `apply.sh` that lies beside it with the same message ten times at once. Its last
#   line is `rows=N`: how many rows have the message's `msg_id` then. That is one.
# - Of all that come at once, one is applied and the rest are duplicates; whoever finds the
#   database locked waits.
# - The number is counted, whatever it is.
#
# Judge by: One row proves little: the constraint sees to that. What the ten were told is the
# proof.
echo 'race.sh: step 5 is not written yet' >&2
exit 1

#### purge.sh
#!/usr/bin/env bash
# Step 6: purge.sh DB DAYS, forget by age.
#
# - It deletes the rows that are older than DAYS days. Its last line is `deleted=N remain=M`: how
#   many it deleted, and how many remain.
# - A row that is younger stays, however many there are.
# - Age is measured in UTC, to the second.
# - If DAYS is negative, nothing is deleted.
#
# Judge by: The oldest N are old on a quiet day. On a busy day they are from this morning.
echo 'purge.sh: step 6 is not written yet' >&2
exit 1
