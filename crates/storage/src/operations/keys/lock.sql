-- Waits for the lock under which keys are wrapped and migrations run, and holds it until the transaction ends.
-- $1 number of the lock.
SELECT 1
  FROM pg_advisory_xact_lock($1)
