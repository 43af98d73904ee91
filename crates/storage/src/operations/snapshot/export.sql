-- The id by which other transactions read the same moment.
SELECT pg_export_snapshot()
