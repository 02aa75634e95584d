"""Lab `retention`, yours to write: a table of idempotency keys and its cleanup.

Each function opens the store at `path`, does one thing and lets go of it. What it promises
stands in it; the tests of a step stay in force in all later ones.
"""


def init_db(path):
    """Step 1: separate completion from expiry.

    - Where there is no table `keys`, it creates one, empty and ready for use.
    - Where the table is there already, it succeeds and leaves every row as it is.
    - The columns are id TEXT, fingerprint TEXT, status TEXT, response TEXT and expires REAL, in
      this order.
    - `id` is the primary key and the only thing that must be unique; ids are compared character
      by character.
    - Fingerprint, status and expires must be given; only the response may be missing, while the
      work is still running.

    Judge by: Status and expires are two columns: the expiry time alone never says whether the work
    is finished.
    """
    raise NotImplementedError("step 1: init_db")


def reserve(path, key, digest, expires):
    """Step 2: reserve a key in progress.

    - A key that is not there is inserted as `pending`, with the digest and expires as given and
      a NULL response; the answer is true.
    - A key that is there, pending or done, stays exactly as it is; the answer is false.
    - That holds for an expired row too: only deleting the row frees the key.
    - Keys are stored and compared as they are written: case, blanks, signs and length all
      count.
    - Rows of other keys stay as they are, even if they have the same digest.
    - When two callers reserve a key at once, one hears true and the other false, and the row is
      the winner's.

    Judge by: To delete a record and to use its key again are two separate acts; reserve does only
    the second.
    """
    raise NotImplementedError("step 2: reserve")


def finish(path, key, digest, response):
    """Step 3: complete only the current request.

    - The pending row with this key and this fingerprint gets the response and becomes `done`;
      the answer is true.
    - The response, whatever JSON value it is, is stored as JSON text.
    - If the row has another fingerprint, the answer is false and nothing changes.
    - If there is no row with this key, the answer is false and none is made.
    - If the row is done, it keeps its first response and the answer is false.
    - Fingerprint and expires stay as they were, an expiry in the past does not matter, and no
      other row is touched.
    - When two workers finish a request at once, one hears true, and its response is the one
      that stays.

    Judge by: A worker that holds another body must never overwrite a finished response, or finish a
    request that is not its own.
    """
    raise NotImplementedError("step 3: finish")


def fetch(path, key, now):
    """Step 4: replay only a valid completed response.

    - For a row that is done and has `expires > now`, the answer is the response as the JSON
      value that was stored, 0, false and empty ones too.
    - From `now == expires` on, the answer is nothing.
    - For a pending row the answer is nothing.
    - For a key that is not there, exactly as it is written, the answer is nothing.
    - It only reads; no row is changed, and no expiry moves.

    Judge by: At `now == expires` the response is no longer replayed.
    """
    raise NotImplementedError("step 4: fetch")


def expired(path, now, limit=10):
    """Step 5: bound the candidates.

    - The answer holds ids of rows that are done and have `expires <= now`.
    - A pending row is never in it, however old, and takes up no room in it.
    - The ids ascend as SQLite compares text: byte by byte, whatever their expiry.
    - It holds the first `limit` ids; left out, the limit is 10.
    - A limit that is not an integer from 1 to 100 is refused with an error.
    - It only reads; no row is changed or deleted.

    Judge by: Emptying a table in one go holds the lock for long, and sweeps running rows along.
    """
    raise NotImplementedError("step 5: expired")


def purge(path, now, limit=10):
    """Step 6: choose and delete in one transaction.

    - It deletes the rows that `expired` would list, and answers with their ids in the same
      order.
    - A pending row is never deleted, however old.
    - Every row whose id is not in the answer stays as it is.
    - It deletes the first `limit` of them in order of id; left out, the limit is 10.
    - A limit that is not an integer from 1 to 100 is refused with an error, and nothing is
      deleted.
    - If it fails or dies on the way, no row has been deleted, and the next purge works.
    - Nothing can change between the look and the delete: a row that is no longer due survives,
      and no two purges answer with the same id.

    Judge by: There is no gap between looking and deleting in which a row can change.
    """
    raise NotImplementedError("step 6: purge")


def counts(path):
    """Step 7: really count by state.

    - The answer is how many rows are `pending` and how many are `done`, as they are now.
    - A state without rows is in the answer, with 0.
    - Every row counts, expired or not, and however many there are.
    - It only reads; no row is changed.

    Judge by: After a cleanup you must be able to see that the unfinished rows are still there.
    """
    raise NotImplementedError("step 7: counts")


def retention_cycle(path, key):
    """Step 8: show that the guarantee ends.

    - In a database without rows it reserves the key as `v1` until 10, finishes it with
      {"receipt": 1}, purges at 10, and reserves it again as `v2` until 20.
    - The answer is true, and the only row is the new one, pending.
    - The answer is the one that the last reserve gave: if the old row is still there, it is
      false.

    Judge by: Do not hide it: after the cleanup the same key is a new request.
    """
    raise NotImplementedError("step 8: retention_cycle")
