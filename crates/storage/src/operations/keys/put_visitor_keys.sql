-- Replaces visitor keys.
-- $1 organizations, $2 wrapped keys.
UPDATE organizations o
   SET visitor_key = n.value
  FROM unnest($1, $2) AS n (id, value)
 WHERE o.id = n.id
