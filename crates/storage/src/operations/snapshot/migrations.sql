-- The versions of the migrations that were run, oldest first.
SELECT version::text
  FROM __diesel_schema_migrations
 ORDER BY version
