DROP VIEW installation_access, space_access;

CREATE VIEW space_access AS
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
COMMENT ON VIEW space_access IS 'Spaces of the organizations of a token, also deleted ones and those on which its user has no role.';
COMMENT ON COLUMN space_access.content_id IS 'The id, to join the head revision: PostgreSQL does not know that it equals the id '
    'that a statement asks for, and so cannot read all revisions of that space before it knows the head.';
COMMENT ON COLUMN space_access.role IS 'Rank of the effective role; null: the user must not see the space.';
COMMENT ON COLUMN space_access.is_visible IS 'The user has a role on the space; grants of administrators are not looked for.';
COMMENT ON COLUMN space_access.member_role IS 'Rank of the role in the organization; null for guests and outsiders.';

CREATE VIEW installation_access AS
SELECT t.id AS token_id, t.hash AS token_hash, t.expires_at AS token_expires_at,
       t.user_id AS actor_id, t.read_only, t.last_used_at,
       n.organization_id, n.id, n.integration_id, i.name AS integration_name, i.target, i.configurations, n.configuration,
       n.external_ids, n.space_selection, n.site_selection,
       CASE n.space_selection
           WHEN 'all' THEN (SELECT count(*)
                              FROM space_access s
                             WHERE s.token_id = t.id AND s.organization_id = n.organization_id
                               AND s.deleted_at IS NULL AND s.is_visible)
           ELSE (SELECT count(*)
                   FROM integration_space_installations p
                   JOIN space_access s ON s.id = p.space_id AND s.organization_id = p.organization_id
                  WHERE p.organization_id = n.organization_id AND p.installation_id = n.id
                    AND s.token_id = t.id AND s.deleted_at IS NULL AND s.is_visible)
       END AS spaces,
       n.created_at, n.updated_at
  FROM api_tokens t
 CROSS JOIN integration_installations n
  JOIN integrations i ON i.id = n.integration_id;
COMMENT ON VIEW installation_access IS 'Each installation of an integration, as the user of each token sees it.';
COMMENT ON COLUMN installation_access.spaces IS 'Number of the spaces that it is for and the user sees.';
