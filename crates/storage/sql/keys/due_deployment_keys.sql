-- Locks a batch of keys of the deployment that are in the clear, or wrapped by another master key, and returns them.
-- $1 id of the current master key, null for those in the clear only, $2 limit.
SELECT name, secret
  FROM deployment_keys
 WHERE octet_length(secret) < 49 OR substring(secret FROM 2 FOR 8) <> $1
 ORDER BY name
 LIMIT $2
   FOR UPDATE
