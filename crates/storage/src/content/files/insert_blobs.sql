-- Inserts rows for file bytes, unless they exist. $1 space, $2 hashes, $3 the size of each, $4 time.
INSERT INTO blobs (space_id, hash, size, created_at, stored_in)
SELECT $1, b.hash, b.size, $4, $1
  FROM unnest($2, $3) AS b (hash, size)
 ORDER BY b.hash
    ON CONFLICT DO NOTHING
