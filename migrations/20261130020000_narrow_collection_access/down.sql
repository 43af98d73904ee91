DROP VIEW collection_access;

CREATE VIEW collection_access AS
SELECT t.id AS token_id, t.hash AS token_hash, t.expires_at AS token_expires_at,
       t.user_id AS actor_id, t.read_only, t.last_used_at,
       c.organization_id, c.id, c.parent_id, c.path, c.position, c.title, c.description, c.default_level,
       c.created_at, c.updated_at,
       (SELECT er.role
          FROM effective_role(m.role, m.disabled, c.organization_id, t.user_id, NULL, c.path, c.default_level) er) AS role,
       (SELECT o.blocked_reason IS NOT NULL FROM organizations o WHERE o.id = c.organization_id) AS organization_is_blocked
  FROM api_tokens t
  JOIN collections c ON t.organizations IS NULL OR c.organization_id = ANY (t.organizations)
  LEFT JOIN organization_members m ON m.organization_id = c.organization_id AND m.user_id = t.user_id;
COMMENT ON VIEW collection_access IS 'Collections of the organizations of a token, also those on which its user has no role.';
COMMENT ON COLUMN collection_access.role IS 'Rank of the effective role; null: the user must not see the collection.';
