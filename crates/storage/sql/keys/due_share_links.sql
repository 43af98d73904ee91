-- Locks a batch of share links whose key is in the clear, or wrapped by another master key, and returns them with the
-- key.
-- $1 id of the current master key, null for those in the clear only, $2 limit.
SELECT organization_id, site_id, id, wrapped_key
  FROM site_share_links
 WHERE octet_length(wrapped_key) < 49 OR substring(wrapped_key FROM 2 FOR 8) <> $1
 ORDER BY organization_id, site_id, id
 LIMIT $2
   FOR NO KEY UPDATE
