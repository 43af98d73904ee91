-- Content of several requests, each with its own token: the current content of a space, or one of its revisions. The
-- subqueries around the arrays hide their lengths from the planner, which would otherwise make a plan for each length.
-- $1 hashes of the tokens, $2 time, $3 spaces, $4 revisions (null for the current content).
SELECT w.key, s.token_id, s.actor_id, s.read_only, s.last_used_at,
       EXISTS (SELECT FROM lacking_sessions l WHERE l.token_id = s.token_id) AS lacks_factor, s.role,
       o.blocked_reason IS NOT NULL AS organization_is_blocked,
       s.member_role, s.id, s.organization_id, s.deleted_at IS NOT NULL AS is_deleted,
       r.id AS revision_id, r.root, o.search_language, s.site_visibility
  FROM unnest((SELECT $1), (SELECT $3), (SELECT $4)) WITH ORDINALITY AS w (hash, space_id, revision_id, key)
  JOIN space_access s
    ON s.token_hash = w.hash AND (s.token_expires_at IS NULL OR s.token_expires_at > $2) AND s.id = w.space_id
  JOIN organizations o ON o.id = s.organization_id
  JOIN LATERAL (
           -- The limit makes the planner join this last, when both columns of the key are known.
           SELECT r.id, r.root FROM revisions r
            WHERE r.space_id = s.id AND r.id = coalesce(w.revision_id, s.head_revision) LIMIT 1) r ON true
