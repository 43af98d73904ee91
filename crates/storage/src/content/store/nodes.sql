-- Nodes of the trees of several spaces.
-- $1 spaces, $2 hashes.
SELECT n.hash, n.body
  FROM unnest($1, $2) AS w (space_id, hash)
  JOIN tree_nodes n ON n.space_id = w.space_id AND n.hash = w.hash
