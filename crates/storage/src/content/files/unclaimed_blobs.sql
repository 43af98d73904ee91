-- Given file bytes to which no row refers. $1 spaces, $2 the hash in each.
SELECT f.space_id, f.hash
  FROM unnest($1, $2) AS f (space_id, hash)
 WHERE NOT EXISTS (SELECT FROM blobs b WHERE b.stored_in = f.space_id AND b.hash = f.hash)
   AND NOT EXISTS (SELECT FROM pdfs p WHERE p.space_id = f.space_id AND p.blob = f.hash)
