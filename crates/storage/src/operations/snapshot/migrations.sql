-- Versions of the applied migrations, oldest first.
SELECT version::text
  FROM __diesel_schema_migrations
 ORDER BY version
