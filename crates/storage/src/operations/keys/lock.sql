-- Takes the lock for wrapping keys and running migrations, until the transaction ends.
-- $1 number of the lock.
SELECT 1
  FROM pg_advisory_xact_lock($1)
