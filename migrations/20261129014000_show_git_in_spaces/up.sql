-- The state of the connection of a space to a Git repository, in the row of the space. No release has connections: the
-- next synchronization of each one writes it.
ALTER TABLE spaces ADD COLUMN git_sync jsonb;
COMMENT ON COLUMN spaces.git_sync IS
    'Connection to a Git repository and its last synchronization; null: the space is not connected.';

CREATE OR REPLACE VIEW space_access AS
SELECT t.id AS token_id, t.hash AS token_hash, t.expires_at AS token_expires_at,
       t.user_id AS actor_id, t.read_only, t.last_used_at,
       s.id, coalesce(s.id, s.id) AS content_id,
       s.organization_id, s.collection_id, s.position, s.title, s.emoji, s.icon, s.language, s.edit_mode, s.default_level,
       s.head_revision, s.comments_open, s.change_requests, s.change_requests_open, s.change_requests_draft,
       s.created_at, s.updated_at, s.deleted_at, s.site_visibility, s.site_address,
       m.role AS member_role,
       (SELECT er.role
          FROM effective_role(m.role, m.disabled, s.organization_id, t.user_id, s.id, c.path, s.default_level) er) AS role,
       CASE
           WHEN m.role = 6 AND NOT m.disabled THEN true
           ELSE (SELECT er.role
                   FROM effective_role(m.role, m.disabled, s.organization_id, t.user_id, s.id, c.path, s.default_level) er)
                IS NOT NULL
       END AS is_visible,
       (SELECT o.blocked_reason IS NOT NULL FROM organizations o WHERE o.id = s.organization_id) AS organization_is_blocked,
       s.merge_rules, s.git_sync
  FROM api_tokens t
  JOIN spaces s ON t.organizations IS NULL OR s.organization_id = ANY (t.organizations)
  LEFT JOIN organization_members m ON m.organization_id = s.organization_id AND m.user_id = t.user_id
  LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id;
