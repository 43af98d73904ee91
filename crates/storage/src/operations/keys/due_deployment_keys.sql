-- Locks and returns a batch of deployment keys that are wrapped by another master key.
-- $1 id of the current master key, $2 limit.
SELECT name, secret
  FROM deployment_keys
 WHERE substring(secret FROM 2 FOR 8) <> $1
 ORDER BY name
 LIMIT $2
   FOR UPDATE
