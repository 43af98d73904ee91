-- Tables of the schema with their columns, in the order of the row's text form.
SELECT c.relname::text,
       array(SELECT a.attname::text
               FROM pg_attribute a
              WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
              ORDER BY a.attnum)
  FROM pg_class c
 WHERE c.relnamespace = current_schema()::text::regnamespace
   AND c.relkind IN ('r', 'p')
   AND c.relname <> '__diesel_schema_migrations'
 ORDER BY c.relname
