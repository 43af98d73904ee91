-- Locks and returns a batch of share links whose key is wrapped by another master key.
-- $1 id of the current master key, $2 limit.
SELECT organization_id, site_id, id, wrapped_key
  FROM site_share_links
 WHERE substring(wrapped_key FROM 2 FOR 8) <> $1
 ORDER BY organization_id, site_id, id
 LIMIT $2
   FOR NO KEY UPDATE
