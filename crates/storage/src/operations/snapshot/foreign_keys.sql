-- Foreign keys of the schema: name, table, its columns, the referenced table and its columns, and whether the key is
-- checked only at the end of the transaction.
SELECT k.conname::text,
       c.relname::text,
       array(SELECT a.attname::text
               FROM unnest(k.conkey) WITH ORDINALITY n (number, place)
               JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = n.number
              ORDER BY n.place),
       f.relname::text,
       array(SELECT a.attname::text
               FROM unnest(k.confkey) WITH ORDINALITY n (number, place)
               JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = n.number
              ORDER BY n.place),
       k.condeferred
  FROM pg_constraint k
  JOIN pg_class c ON c.oid = k.conrelid
  JOIN pg_class f ON f.oid = k.confrelid
 WHERE k.connamespace = current_schema()::text::regnamespace AND k.contype = 'f'
 ORDER BY c.relname, k.conname
