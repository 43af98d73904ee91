-- Locks a batch of organizations whose visitor key is in the clear, or wrapped by another master key, and returns them
-- with the key.
-- $1 id of the current master key, null for those in the clear only, $2 limit.
SELECT id, visitor_key
  FROM organizations
 WHERE octet_length(visitor_key) < 49 OR substring(visitor_key FROM 2 FOR 8) <> $1
 ORDER BY id
 LIMIT $2
   FOR NO KEY UPDATE
