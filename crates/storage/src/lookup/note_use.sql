-- Records the use of a token, unless its row is locked: another request that records a use would write the same. A
-- session is extended at most once an hour.
-- $1 token, $2 time, $3 expiry of a session that is used now.
UPDATE api_tokens
   SET last_used_at = $2,
       expires_at = CASE WHEN session_ends_at IS NOT NULL
                              AND expires_at < least($3, session_ends_at) - interval '1 hour'
                         THEN least($3, session_ends_at)
                         ELSE expires_at END
 WHERE id = (SELECT id FROM api_tokens WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED)
