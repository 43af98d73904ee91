-- Replaces deployment keys.
-- $1 names, $2 wrapped keys.
UPDATE deployment_keys k
   SET secret = n.value
  FROM unnest($1, $2) AS n (name, value)
 WHERE k.name = n.name
