DROP VIEW site_access;
ALTER TABLE sites DROP COLUMN git_sync;
DROP TABLE site_git_operations;
DROP TABLE site_git_installations;
ALTER TABLE git_installations DROP COLUMN parent_id, DROP COLUMN site_key;

CREATE VIEW site_access AS
SELECT t.id AS token_id, t.hash AS token_hash, t.expires_at AS token_expires_at,
       t.user_id AS actor_id, t.read_only, t.last_used_at,
       w.organization_id, w.id, w.type, w.title, w.visibility, w.published, w.hostname, w.basename, w.proxy_origin,
       w.adaptive_content, w.customization, w.created_at,
       (SELECT count(*)
          FROM site_spaces p
          JOIN spaces s ON s.organization_id = p.organization_id AND s.id = p.space_id AND s.deleted_at IS NULL
          LEFT JOIN site_sections x
            ON x.organization_id = p.organization_id AND x.site_id = p.site_id AND x.id = p.section_id
          LEFT JOIN site_section_groups g
            ON g.organization_id = x.organization_id AND g.site_id = x.site_id AND g.id = x.group_id
          LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id
         WHERE p.organization_id = w.organization_id AND p.site_id = w.id
           AND (m.role >= 5
                OR (w.published AND w.visibility <> 'share-link'
                    AND p.condition IS NULL AND x.condition IS NULL
                    AND NOT (p.draft OR coalesce(x.draft, false) OR coalesce(g.draft, false)))
                OR (SELECT er.role
                      FROM effective_role(m.role, m.disabled, s.organization_id, t.user_id, s.id, c.path, s.default_level) er)
                   IS NOT NULL)) AS site_spaces,
       m.role AS member_role,
       (SELECT o.blocked_reason IS NOT NULL FROM organizations o WHERE o.id = w.organization_id) AS organization_is_blocked,
       w.pending_hostname, w.pending_proxy_origin,
       coalesce(w.basename, w.slug, w.id::text) AS name,
       (SELECT coalesce(o.address_name, o.slug, o.id::text) FROM organizations o WHERE o.id = w.organization_id)
           AS organization_name
  FROM api_tokens t
  JOIN sites w ON t.organizations IS NULL OR w.organization_id = ANY (t.organizations)
  JOIN organization_members m ON m.organization_id = w.organization_id AND m.user_id = t.user_id AND NOT m.disabled;
COMMENT ON VIEW site_access IS 'Sites of the organizations of which the user of a token is an enabled member.';
COMMENT ON COLUMN site_access.site_spaces IS
    'Number of spaces on the site that the user sees, as SiteReader of quire-domain decides: all for who manages sites, else '
    'those with a role and those that a published site shows to any token. A condition counts as not met.';
COMMENT ON COLUMN site_access.name IS 'Name of the site in its default address.';
COMMENT ON COLUMN site_access.organization_name IS 'Name of its organization in that address.';
