-- Returns whether no transaction prevents the removal of file bytes. $1 number of the lock.
SELECT pg_try_advisory_xact_lock($1)
