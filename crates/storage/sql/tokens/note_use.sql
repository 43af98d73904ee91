-- Notes the use of a token, unless its row is locked: another request that notes a use would write the same.
-- $1 token, $2 time, $3 whether this is part of a transaction. If not, it belongs to a read, which must not wait for a
-- standby.
UPDATE api_tokens
   SET last_used_at = $2
 WHERE id = (SELECT id FROM api_tokens WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED)
   AND CASE WHEN $3 THEN true ELSE set_config('synchronous_commit', 'off', true) IS NOT NULL END
