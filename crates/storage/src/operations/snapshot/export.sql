-- Id with which other transactions can read the same snapshot.
SELECT pg_export_snapshot()
