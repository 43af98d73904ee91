-- Locks and returns a batch of organizations whose visitor key is wrapped by another master key.
-- $1 id of the current master key, $2 limit.
SELECT id, visitor_key
  FROM organizations
 WHERE substring(visitor_key FROM 2 FOR 8) <> $1
 ORDER BY id
 LIMIT $2
   FOR NO KEY UPDATE
