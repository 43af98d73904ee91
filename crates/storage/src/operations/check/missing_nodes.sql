-- Given tree nodes that are missing. $1 spaces, $2 the hash in each.
SELECT w.space_id, w.hash
  FROM unnest($1, $2) AS w (space_id, hash)
 WHERE NOT EXISTS (SELECT FROM tree_nodes n WHERE n.space_id = w.space_id AND n.hash = w.hash)
