-- Copies nodes of trees to another space.
-- $1 space to copy to, $2 space to copy from, $3 hashes.
INSERT INTO tree_nodes (space_id, hash, body)
SELECT $1, n.hash, n.body
  FROM tree_nodes n
 WHERE n.space_id = $2 AND n.hash = ANY ($3)
