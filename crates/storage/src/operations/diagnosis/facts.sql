-- Facts about the server and the role that an operator may have to change.
SELECT current_setting('server_version'),
       current_setting('server_version_num')::integer,
       current_setting('server_encoding'),
       pg_is_in_recovery(),
       has_schema_privilege(current_schema(), 'CREATE'),
       has_database_privilege(current_database(), 'CREATE'),
       EXISTS (SELECT FROM pg_available_extensions e WHERE e.name = 'pg_trgm'),
       current_setting('max_connections')::integer,
       current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on',
       current_setting('data_checksums') = 'on',
       current_setting('autovacuum') = 'on',
       greatest(current_setting('autovacuum_vacuum_cost_limit')::integer,
                current_setting('vacuum_cost_limit')::integer),
       clock_timestamp(),
       (SELECT coalesce(a.last_failed_time, '-infinity') > coalesce(a.last_archived_time, '-infinity')
          FROM pg_stat_archiver a)
