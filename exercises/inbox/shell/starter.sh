#### create.sh
#!/usr/bin/env bash
# create.sh DB
# Step 1: a history with one row a message. Creates the table inbox_log(msg_id, biz_key, status,
# response, created_at), unless it is there; msg_id is its primary key.
echo "step 1: create.sh is not written yet" >&2
exit 1

#### apply.sh
#!/usr/bin/env bash
# apply.sh DB JSON
# Step 3: load a message once. First line of the output: applied, or duplicate. Exit code 0.
# Step 4: load them all. Two messages about one order are two messages.
# Step 7: store the response, and print it as the second line; a duplicate gets the stored one.
echo "step 3: apply.sh is not written yet" >&2
exit 1

#### race.sh
#!/usr/bin/env bash
# race.sh DB JSON
# Step 5: ten at once. Runs apply.sh ten times at the same moment. Last line: rows=N, counted.
echo "step 5: race.sh is not written yet" >&2
exit 1

#### purge.sh
#!/usr/bin/env bash
# purge.sh DB DAYS
# Step 6: forget by age. Deletes what is older than DAYS days. Last line: deleted=N remain=M
echo "step 6: purge.sh is not written yet" >&2
exit 1
