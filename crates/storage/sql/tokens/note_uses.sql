-- Notes when tokens were used last. A token whose row is locked is left out: its holder writes the same, or a later
-- request does.
-- $1 tokens, $2 times.
UPDATE api_tokens t
   SET last_used_at = u.used_at
  FROM unnest($1, $2) AS u (id, used_at)
  JOIN LATERAL (
           SELECT l.id FROM api_tokens l WHERE l.id = u.id FOR NO KEY UPDATE SKIP LOCKED) l ON true
 WHERE t.id = l.id AND (t.last_used_at IS NULL OR t.last_used_at < u.used_at)
