-- The current content of the space that each of several requests names, each with its own token, and the user of the
-- token. The subqueries around the arrays hide their lengths from the planner, so that one plan serves every length.
-- $1 hashes of the tokens, $2 time, $3 spaces.
SELECT w.key, s.token_id, s.actor_id, s.read_only, s.last_used_at, s.role, s.organization_is_blocked,
       s.member_role,
       $columns(s),
       r.id AS revision_id, r.type AS revision_type, r.parents, r.root, r.merged_from, r.author_id,
       r.created_at AS revision_created_at, r.begun_at,
       u.id AS user_id, u.email, u.display_name, u.photo_url
  FROM unnest((SELECT $1), (SELECT $3)) WITH ORDINALITY AS w (hash, space_id, key)
  JOIN space_access s
    ON s.token_hash = w.hash AND (s.token_expires_at IS NULL OR s.token_expires_at > $2) AND s.id = w.space_id
  JOIN revisions r ON r.space_id = s.content_id AND r.id = s.head_revision
  JOIN users u ON u.id = s.actor_id
