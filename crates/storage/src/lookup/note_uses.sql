-- Records the last use of tokens. A token whose row is locked is skipped: the lock's holder, or a later request, writes
-- the same. A session is extended at most once an hour.
-- $1 tokens, $2 times, $3 expiries of sessions that were used at these times.
UPDATE api_tokens t
   SET last_used_at = u.used_at,
       expires_at = CASE WHEN t.session_ends_at IS NOT NULL
                              AND t.expires_at < least(u.expires_at, t.session_ends_at) - interval '1 hour'
                         THEN least(u.expires_at, t.session_ends_at)
                         ELSE t.expires_at END
  FROM unnest($1, $2, $3) AS u (id, used_at, expires_at)
  JOIN LATERAL (
           SELECT l.id FROM api_tokens l WHERE l.id = u.id FOR NO KEY UPDATE SKIP LOCKED) l ON true
 WHERE t.id = l.id AND (t.last_used_at IS NULL OR t.last_used_at < u.used_at)
