-- The position of the write-ahead log up to which a standby shows what was committed; 0 on one that is no standby.
SELECT CASE WHEN pg_is_in_recovery() THEN coalesce(pg_last_wal_replay_lsn() - '0/0', 0) ELSE 0 END::bigint
