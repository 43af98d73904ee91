-- Replay position of a standby in the write-ahead log; 0 on a server that is not a standby.
SELECT CASE WHEN pg_is_in_recovery() THEN coalesce(pg_last_wal_replay_lsn() - '0/0', 0) ELSE 0 END::bigint
