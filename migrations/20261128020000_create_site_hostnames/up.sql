-- Host names of sites, each of one organization, and addresses of sites that wait for the proof of their host name.

CREATE TABLE site_hostnames (
    hostname text COLLATE "C" NOT NULL PRIMARY KEY CHECK (char_length(hostname) BETWEEN 1 AND 512),
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    verified_by text CHECK (verified_by IN ('dns', 'operator', 'trust')),
    created_at timestamptz NOT NULL
);

CREATE INDEX site_hostnames_organization ON site_hostnames (organization_id);
COMMENT ON TABLE site_hostnames IS
    'Host names of sites and of the proxies in front of them. A name belongs to one organization.';
COMMENT ON COLUMN site_hostnames.verified_by IS
    'What has proven that the name is the organization''s: a TXT record, the operator, or trust in all names; null: not proven.';

ALTER TABLE sites
    ADD COLUMN pending_hostname text CHECK (char_length(pending_hostname) <= 512),
    ADD COLUMN pending_proxy_origin text CHECK (char_length(pending_proxy_origin) <= 512);

CREATE UNIQUE INDEX sites_pending_hostname ON sites (pending_hostname) WHERE pending_hostname IS NOT NULL;
COMMENT ON COLUMN sites.pending_hostname IS 'Host name that replaces the present one when it is proven.';
COMMENT ON COLUMN sites.pending_proxy_origin IS 'Origin of a proxy that replaces the present one when its host name is proven.';

UPDATE sites
   SET proxy_origin = lower(split_part(proxy_origin, '/', 1)) || substr(proxy_origin, strpos(proxy_origin, '/'))
 WHERE proxy_origin IS NOT NULL;

-- Names in use stay so. Of several organizations with proxies at a host, the one with a site of that host name has it,
-- else the first.
INSERT INTO site_hostnames (hostname, organization_id, verified_by, created_at)
SELECT DISTINCT ON (n.hostname) n.hostname, n.organization_id, 'trust', n.created_at
  FROM (SELECT hostname, organization_id, created_at, 1 AS rank FROM sites WHERE hostname IS NOT NULL
         UNION ALL
        SELECT split_part(proxy_origin, '/', 1), organization_id, created_at, 2
          FROM sites
         WHERE proxy_origin IS NOT NULL) n
 ORDER BY n.hostname, n.rank, n.created_at, n.organization_id;

UPDATE spaces s
   SET site_address = coalesce(
           'https://' || w.hostname,
           'sites/' || w.organization_id || '/' || coalesce(w.basename, w.id::text))
           || substr(s.site_address, char_length('https://' || w.proxy_origin) + 1)
  FROM sites w
  JOIN site_hostnames h ON h.hostname = split_part(w.proxy_origin, '/', 1) AND h.organization_id <> w.organization_id
 WHERE s.organization_id = w.organization_id
   AND starts_with(s.site_address, 'https://' || w.proxy_origin || '/');

UPDATE sites w
   SET pending_proxy_origin = w.proxy_origin, proxy_origin = NULL
  FROM site_hostnames h
 WHERE h.hostname = split_part(w.proxy_origin, '/', 1) AND h.organization_id <> w.organization_id;

CREATE OR REPLACE VIEW site_access AS
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
       (SELECT o.blocked_reason IS NOT NULL FROM organizations o WHERE o.id = w.organization_id) AS organization_is_blocked,
       w.pending_hostname, w.pending_proxy_origin
  FROM api_tokens t
  JOIN sites w ON t.organizations IS NULL OR w.organization_id = ANY (t.organizations)
  JOIN organization_members m ON m.organization_id = w.organization_id AND m.user_id = t.user_id AND NOT m.disabled;
