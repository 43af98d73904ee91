-- The position of the write-ahead log on the primary: everything that was committed is before it.
SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint
