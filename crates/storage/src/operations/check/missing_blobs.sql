-- Given files whose bytes are missing among those of a space. $1 spaces, $2 the hash in each.
SELECT w.space_id, w.hash
  FROM unnest($1, $2) AS w (space_id, hash)
 WHERE NOT EXISTS (SELECT FROM blobs b WHERE b.space_id = w.space_id AND b.hash = w.hash)
