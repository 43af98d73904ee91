-- Given documents that are missing. $1 spaces, $2 the id in each.
SELECT w.space_id, w.id
  FROM unnest($1, $2) AS w (space_id, id)
 WHERE NOT EXISTS (SELECT FROM documents d WHERE d.space_id = w.space_id AND d.id = w.id)
