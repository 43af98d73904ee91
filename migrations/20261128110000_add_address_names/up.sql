-- Readable addresses of sites: names of organizations and sites, made from their titles.

ALTER TABLE organizations
    ADD COLUMN slug text CHECK (char_length(slug) BETWEEN 1 AND 100),
    ADD COLUMN address_name text;
ALTER TABLE sites ADD COLUMN slug text CHECK (char_length(slug) BETWEEN 1 AND 100);
COMMENT ON COLUMN organizations.slug IS
    'Name in the addresses of its sites, made from its first title and kept since. Null: the id.';
COMMENT ON COLUMN organizations.address_name IS
    'Its hostname, which precedes the slug in addresses of sites, unless another organization has it as a slug.';
COMMENT ON COLUMN sites.slug IS
    'Name in the address of the site, made from its first title and kept since; a basename precedes it. Null: the id.';

-- Equal titles get numbers, the oldest one none. No name is that of another row's hostname or basename.
DO $$
DECLARE
    item record;
    wanted text;
    name text;
    number integer;
BEGIN
    FOR item IN SELECT id, title FROM organizations ORDER BY created_at, id LOOP
        wanted := coalesce(
            nullif(left(trim(BOTH '-' FROM regexp_replace(lower(item.title), '[^a-z0-9]+', '-', 'g')), 90), ''),
            'organization');
        name := wanted;
        number := 0;
        WHILE EXISTS (SELECT 1 FROM organizations o WHERE o.id <> item.id AND name IN (o.slug, o.hostname)) LOOP
            number := number + 1;
            name := wanted || '-' || number;
        END LOOP;
        UPDATE organizations SET slug = name, address_name = hostname WHERE id = item.id;
    END LOOP;
    FOR item IN SELECT organization_id, id, title FROM sites ORDER BY created_at, id LOOP
        wanted := coalesce(
            nullif(left(trim(BOTH '-' FROM regexp_replace(lower(item.title), '[^a-z0-9]+', '-', 'g')), 90), ''),
            'site');
        name := wanted;
        number := 0;
        WHILE EXISTS (SELECT 1
                        FROM sites w
                       WHERE w.organization_id = item.organization_id AND w.id <> item.id
                         AND name IN (w.slug, w.basename)) LOOP
            number := number + 1;
            name := wanted || '-' || number;
        END LOOP;
        UPDATE sites SET slug = name WHERE organization_id = item.organization_id AND id = item.id;
    END LOOP;
END $$;

ALTER TABLE organizations
    ADD CONSTRAINT organizations_slug_key UNIQUE (slug),
    ADD CONSTRAINT organizations_address_name_key UNIQUE (address_name);
ALTER TABLE sites ADD CONSTRAINT sites_organization_id_slug_key UNIQUE (organization_id, slug);

UPDATE spaces s
   SET site_address = 'sites/' || coalesce(o.address_name, o.slug) || '/' || coalesce(w.basename, w.slug)
           || substr(s.site_address, char_length(n.address) + 1)
  FROM sites w
  JOIN organizations o ON o.id = w.organization_id
 CROSS JOIN LATERAL (
       SELECT 'sites/' || w.organization_id || '/' || coalesce(w.basename, w.id::text) AS address) n
 WHERE s.organization_id = w.organization_id
   AND (s.site_address = n.address OR starts_with(s.site_address, n.address || '/'));

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
       w.pending_hostname, w.pending_proxy_origin,
       coalesce(w.basename, w.slug, w.id::text) AS name,
       (SELECT coalesce(o.address_name, o.slug, o.id::text) FROM organizations o WHERE o.id = w.organization_id)
           AS organization_name
  FROM api_tokens t
  JOIN sites w ON t.organizations IS NULL OR w.organization_id = ANY (t.organizations)
  JOIN organization_members m ON m.organization_id = w.organization_id AND m.user_id = t.user_id AND NOT m.disabled;
COMMENT ON COLUMN site_access.name IS 'Name of the site in its default address.';
COMMENT ON COLUMN site_access.organization_name IS 'Name of its organization in that address.';
