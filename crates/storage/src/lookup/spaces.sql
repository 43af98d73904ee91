-- Spaces of several requests, each with its own token. The subqueries around the arrays hide their lengths from the
-- planner, so that one plan serves all lengths.
-- $1 hashes of the tokens, $2 time, $3 spaces.
SELECT w.key, a.token_id, a.actor_id, a.read_only, a.last_used_at,
       EXISTS (SELECT FROM lacking_sessions l WHERE l.token_id = a.token_id) AS lacks_factor,
       a.role, a.organization_is_blocked,
       $columns(s)
  FROM unnest((SELECT $1), (SELECT $3)) WITH ORDINALITY AS w (hash, space_id, key)
  JOIN space_access a
    ON a.token_hash = w.hash AND (a.token_expires_at IS NULL OR a.token_expires_at > $2) AND a.id = w.space_id
  JOIN spaces s ON s.id = a.id
