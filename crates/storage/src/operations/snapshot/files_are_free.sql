-- True if no transaction keeps the bytes of files from being removed. $1 number of the lock.
SELECT pg_try_advisory_xact_lock($1)
