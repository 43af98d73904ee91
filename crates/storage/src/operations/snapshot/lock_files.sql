-- Prevents the removal of file bytes until the transaction ends. $1 number of the lock.
SELECT 1
  FROM pg_advisory_xact_lock_shared($1)
