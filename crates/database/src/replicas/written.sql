-- Position of the primary in the write-ahead log. Everything committed is before it.
SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint
