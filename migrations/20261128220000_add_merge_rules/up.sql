-- Rules for merging change requests, of organizations and of spaces.
ALTER TABLE organizations ADD COLUMN merge_rules jsonb;
COMMENT ON COLUMN organizations.merge_rules IS
    'Rules for merging change requests of spaces that inherit them; null: none.';
-- Present spaces keep what they had: no rules. New ones inherit.
ALTER TABLE spaces ADD COLUMN merge_rules jsonb DEFAULT '{"type": "none"}';
ALTER TABLE spaces ALTER COLUMN merge_rules DROP DEFAULT;
COMMENT ON COLUMN spaces.merge_rules IS
    'Rules for merging change requests; null: inherited from the organization.';

CREATE OR REPLACE VIEW organization_access AS
SELECT t.id AS token_id, t.hash AS token_hash, t.expires_at AS token_expires_at,
       t.user_id AS actor_id, t.read_only, t.last_used_at,
       o.id, o.title, o.hostname, o.type, o.use_case, o.community_type, o.email_domains, o.default_role,
       o.default_content, o.sso, o.ai, o.invite_links, o.plan, o.billing, o.billing_migration, o.trial, o.logo,
       o.custom_hostname, o.blocked_reason, o.search_language, o.created_at,
       m.user_id IS NOT NULL AS is_member, m.role AS member_role,
       -- Not EXISTS, for which a list of many organizations reads the owners of all teams of all organizations.
       coalesce(
           (SELECT true
              FROM team_members tm
             WHERE tm.organization_id = o.id AND tm.user_id = t.user_id AND tm.role = 'owner'
             LIMIT 1),
           false) AS owns_team,
       t.organizations IS NULL OR o.id = ANY (t.organizations) AS token_reaches,
       o.merge_rules
  FROM api_tokens t
 CROSS JOIN organizations o
  LEFT JOIN organization_members m
    ON m.organization_id = o.id AND m.user_id = t.user_id AND NOT m.disabled
   AND (t.organizations IS NULL OR o.id = ANY (t.organizations));

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
       s.merge_rules
  FROM api_tokens t
  JOIN spaces s ON t.organizations IS NULL OR s.organization_id = ANY (t.organizations)
  LEFT JOIN organization_members m ON m.organization_id = s.organization_id AND m.user_id = t.user_id
  LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id;
