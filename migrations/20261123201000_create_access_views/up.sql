-- Authorization as relations: one row per API token and resource that the token reaches, with the token, the role of its
-- user and the columns of the resource. PostgreSQL inlines a view into the statement that names it, so columns that a
-- statement does not select, and their subqueries, cost nothing. A statement filters by the hash of the token and by the
-- id of the resource; the expiry of the token is the caller's condition, because it takes the time of the request.

-- A body in SQL-standard form binds its tables when it is created and so runs under any search_path. A body in quotes is
-- parsed by each statement that calls it.
--
-- The rank of the role that a member has on a space or collection, null for none: one row. A table, because PostgreSQL plans such
-- a function as a part of the statement that calls it, but runs a scalar one with a subquery apart, at several times the cost.
-- Without a grant, members have the stronger of their role in the organization and the default level; where that is null, only
-- grants count. quire-domain's `effective_role` is its twin, and a test compares them.
CREATE FUNCTION effective_role(
    member_role smallint, member_disabled boolean, organization uuid, member uuid,
    space uuid, collections uuid[], default_level smallint
) RETURNS TABLE (role smallint) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT CASE
        WHEN member_disabled IS NULL OR member_disabled THEN NULL
        WHEN member_role = 6 THEN 6::smallint
        ELSE coalesce(
            (SELECT g.role
               FROM content_grants g
              WHERE g.organization_id = organization
                AND (g.space_id = space OR g.collection_id = ANY (collections))
                AND (g.user_id = member OR g.team_id IN (
                        SELECT t.team_id FROM team_members t WHERE t.organization_id = organization AND t.user_id = member))
              ORDER BY (g.space_id IS NOT NULL) DESC, array_position(collections, g.collection_id) DESC, g.role DESC
              LIMIT 1),
            CASE WHEN member_role IS NOT NULL AND default_level IS NOT NULL THEN greatest(member_role, default_level) END)
        END;
END;

CREATE VIEW organization_access AS
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
       t.organizations IS NULL OR o.id = ANY (t.organizations) AS token_reaches
  FROM api_tokens t
 CROSS JOIN organizations o
  LEFT JOIN organization_members m
    ON m.organization_id = o.id AND m.user_id = t.user_id AND NOT m.disabled
   AND (t.organizations IS NULL OR o.id = ANY (t.organizations));
COMMENT ON VIEW organization_access IS 'Each token with each organization; a lookup filters by is_member or by a public fact.';
COMMENT ON COLUMN organization_access.is_member IS 'The user is an enabled member and the token reaches the organization.';
COMMENT ON COLUMN organization_access.token_reaches IS 'The token is for all organizations of its user or names this one.';
COMMENT ON COLUMN organization_access.owns_team IS 'The user owns one of the teams of the organization.';

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
       (SELECT o.blocked_reason IS NOT NULL FROM organizations o WHERE o.id = s.organization_id) AS organization_is_blocked
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

CREATE VIEW site_access AS
SELECT t.id AS token_id, t.hash AS token_hash, t.expires_at AS token_expires_at,
       t.user_id AS actor_id, t.read_only, t.last_used_at,
       w.organization_id, w.id, w.type, w.title, w.visibility, w.published, w.hostname, w.basename, w.proxy_origin,
       w.adaptive_content, w.customization, w.created_at,
       (SELECT count(*)
          FROM site_spaces p
          JOIN spaces s ON s.organization_id = p.organization_id AND s.id = p.space_id AND s.deleted_at IS NULL
          LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id
         WHERE p.organization_id = w.organization_id AND p.site_id = w.id
           AND (w.published
                OR (SELECT er.role
                      FROM effective_role(m.role, m.disabled, s.organization_id, t.user_id, s.id, c.path, s.default_level) er)
                   IS NOT NULL)) AS site_spaces,
       m.role AS member_role,
       (SELECT o.blocked_reason IS NOT NULL FROM organizations o WHERE o.id = w.organization_id) AS organization_is_blocked
  FROM api_tokens t
  JOIN sites w ON t.organizations IS NULL OR w.organization_id = ANY (t.organizations)
  JOIN organization_members m ON m.organization_id = w.organization_id AND m.user_id = t.user_id AND NOT m.disabled;
COMMENT ON VIEW site_access IS 'Sites of the organizations of which the user of a token is an enabled member.';
COMMENT ON COLUMN site_access.site_spaces IS 'Number of spaces on the site that the user may see: all of a published site, else those with a role.';

CREATE VIEW team_access AS
SELECT t.id AS token_id, t.hash AS token_hash, t.expires_at AS token_expires_at,
       t.user_id AS actor_id, t.read_only, t.last_used_at,
       tm.organization_id, tm.id, tm.title, tm.created_at,
       EXISTS (SELECT 1
                 FROM team_members own
                WHERE own.organization_id = tm.organization_id AND own.team_id = tm.id
                  AND own.user_id = t.user_id AND own.role = 'owner') AS is_owner,
       m.role AS member_role,
       (SELECT o.blocked_reason IS NOT NULL FROM organizations o WHERE o.id = tm.organization_id) AS organization_is_blocked
  FROM api_tokens t
  JOIN teams tm ON t.organizations IS NULL OR tm.organization_id = ANY (t.organizations)
  JOIN organization_members m ON m.organization_id = tm.organization_id AND m.user_id = t.user_id AND NOT m.disabled;
COMMENT ON VIEW team_access IS 'Teams of the organizations of which the user of a token is an enabled member.';
COMMENT ON COLUMN team_access.is_owner IS 'The user is an owner of the team.';

CREATE VIEW saml_default_teams AS
SELECT t.id AS token_id, l.organization_id, l.saml_provider_id, d.id, d.title, d.created_at,
       (SELECT count(*)
          FROM team_members x
         WHERE x.organization_id = d.organization_id AND x.team_id = d.id) AS members,
       (SELECT count(*)
          FROM spaces s
          LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id
         WHERE s.organization_id = d.organization_id AND s.deleted_at IS NULL
           AND EXISTS (SELECT 1
                         FROM content_grants g
                        WHERE g.organization_id = d.organization_id AND g.team_id = d.id
                          AND (g.space_id = s.id OR g.collection_id = ANY (c.path)))) AS spaces,
       EXISTS (SELECT 1
                 FROM team_members x
                WHERE x.organization_id = d.organization_id AND x.team_id = d.id
                  AND x.user_id = t.user_id AND x.role = 'owner') AS owned
  FROM saml_provider_teams l
  JOIN teams d ON d.organization_id = l.organization_id AND d.id = l.team_id
 CROSS JOIN api_tokens t;
COMMENT ON VIEW saml_default_teams IS 'The team that people join through a SAML provider, as the user of each token sees it.';

CREATE VIEW integration_details AS
SELECT i.id, i.organization_id, i.name, i.version, i.title, i.description, i.summary, i.target, i.visibility, i.verified,
       i.scopes, i.categories, i.blocks, i.content_sources, i.configurations, i.external_links, i.content_security_policy,
       (SELECT g.hash FROM integration_images g WHERE g.integration_id = i.id AND g.place = 0) AS icon,
       array(SELECT g.hash FROM integration_images g WHERE g.integration_id = i.id AND g.place > 0 ORDER BY g.place) AS previews,
       i.block_domains,
       jsonb_array_length(coalesce(i.blocks, '[]')) > 0 AS has_blocks,
       jsonb_array_length(coalesce(i.content_sources, '[]')) > 0 AS has_content_sources
  FROM integrations i;
COMMENT ON VIEW integration_details IS 'Integrations without their sealed script and secrets, with the hashes of their images.';

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

CREATE VIEW space_roles AS
SELECT s.organization_id, s.id AS space_id, m.user_id, er.role
  FROM spaces s
  LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id
  JOIN organization_members m ON m.organization_id = s.organization_id
 CROSS JOIN LATERAL effective_role(m.role, m.disabled, s.organization_id, m.user_id, s.id, c.path, s.default_level) er;
COMMENT ON VIEW space_roles IS 'The effective role of each member on each space; null for none.';

CREATE VIEW content_roles AS
SELECT s.organization_id, s.space_id, NULL::uuid AS collection_id, s.user_id, s.role
  FROM space_roles s
 UNION ALL
SELECT c.organization_id, NULL, c.id, m.user_id, er.role
  FROM collections c
  JOIN organization_members m ON m.organization_id = c.organization_id
 CROSS JOIN LATERAL effective_role(m.role, m.disabled, c.organization_id, m.user_id, NULL, c.path, c.default_level) er;
COMMENT ON VIEW content_roles IS 'The effective role of each member on each space and on each collection; null for none.';
