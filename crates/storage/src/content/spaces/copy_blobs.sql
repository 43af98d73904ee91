-- Adds references to file bytes for another space.
-- $1 space to copy to, $2 space to copy from, $3 hashes, $4 time.
INSERT INTO blobs (space_id, hash, size, created_at, stored_in)
SELECT $1, b.hash, b.size, $4, b.stored_in
  FROM blobs b
 WHERE b.space_id = $2 AND b.hash = ANY ($3)
