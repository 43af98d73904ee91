-- Sites and their structure: section groups, sections and the spaces that they show.

CREATE TABLE sites (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL
        CHECK (type IN ('basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium')),
    title text NOT NULL CHECK (char_length(title) BETWEEN 2 AND 128),
    visibility text NOT NULL CHECK (visibility IN ('public', 'unlisted', 'share-link', 'visitor-auth')),
    published boolean NOT NULL DEFAULT false,
    hostname text CHECK (char_length(hostname) <= 512),
    basename text CHECK (char_length(basename) BETWEEN 1 AND 100),
    proxy_origin text CHECK (char_length(proxy_origin) <= 512),
    adaptive_content boolean,
    customization jsonb,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, basename),
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX sites_hostname ON sites (hostname) WHERE hostname IS NOT NULL;
CREATE INDEX sites_proxy_origin ON sites (proxy_origin) WHERE proxy_origin IS NOT NULL;
COMMENT ON TABLE sites IS 'Sites, which publish spaces.';
COMMENT ON COLUMN sites.adaptive_content IS 'Use of the claims of visitors; null: never set.';
COMMENT ON COLUMN sites.customization IS 'Settings as last stored; null: the defaults.';

CREATE TABLE site_section_groups (
    organization_id uuid NOT NULL,
    site_id uuid NOT NULL,
    id uuid NOT NULL,
    title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 100),
    icon text CHECK (char_length(icon) <= 50),
    position text COLLATE "C" NOT NULL,
    draft boolean NOT NULL DEFAULT false,
    localized_title jsonb CHECK (jsonb_typeof(localized_title) = 'object'),
    PRIMARY KEY (organization_id, site_id, id),
    FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE
);

COMMENT ON TABLE site_section_groups IS 'Menus of sections.';
COMMENT ON COLUMN site_section_groups.draft IS 'Not shown to visitors, with all of its sections.';
COMMENT ON COLUMN site_section_groups.localized_title IS 'Titles by languages.';

CREATE TABLE site_sections (
    organization_id uuid NOT NULL,
    site_id uuid NOT NULL,
    id uuid NOT NULL,
    group_id uuid,
    title text NOT NULL CHECK (char_length(title) BETWEEN 2 AND 128),
    description text CHECK (char_length(description) <= 256),
    path text NOT NULL CHECK (char_length(path) BETWEEN 1 AND 100),
    condition text CHECK (char_length(condition) BETWEEN 1 AND 1024),
    icon text CHECK (char_length(icon) <= 50),
    is_default boolean NOT NULL DEFAULT false,
    position text COLLATE "C" NOT NULL,
    draft boolean NOT NULL DEFAULT false,
    localized_title jsonb CHECK (jsonb_typeof(localized_title) = 'object'),
    localized_description jsonb CHECK (jsonb_typeof(localized_description) = 'object'),
    PRIMARY KEY (organization_id, site_id, id),
    UNIQUE (organization_id, site_id, path),
    FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, site_id, group_id)
        REFERENCES site_section_groups (organization_id, site_id, id) ON DELETE RESTRICT
);

CREATE UNIQUE INDEX site_sections_default ON site_sections (organization_id, site_id) WHERE is_default;
CREATE INDEX site_sections_group ON site_sections (organization_id, site_id, group_id);
COMMENT ON TABLE site_sections IS 'Sections of a site.';
COMMENT ON COLUMN site_sections.draft IS 'Not shown to visitors.';
COMMENT ON COLUMN site_sections.localized_title IS 'Titles by languages.';
COMMENT ON COLUMN site_sections.localized_description IS 'Descriptions by languages.';
COMMENT ON COLUMN site_sections.position IS
    'Position among the sections of its group, or among the groups of the site and the sections outside '
    'of them.';

CREATE TABLE site_spaces (
    organization_id uuid NOT NULL,
    site_id uuid NOT NULL,
    id uuid NOT NULL,
    section_id uuid,
    space_id uuid NOT NULL,
    path text NOT NULL CHECK (char_length(path) BETWEEN 1 AND 100),
    condition text CHECK (char_length(condition) BETWEEN 1 AND 1024),
    is_default boolean NOT NULL DEFAULT false,
    position text COLLATE "C" NOT NULL,
    draft boolean NOT NULL DEFAULT false,
    hidden boolean NOT NULL DEFAULT false,
    localized_title jsonb CHECK (jsonb_typeof(localized_title) = 'object'),
    customization jsonb CHECK (jsonb_typeof(customization) = 'object'),
    PRIMARY KEY (organization_id, site_id, id),
    FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, site_id, section_id)
        REFERENCES site_sections (organization_id, site_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, space_id) REFERENCES spaces (organization_id, id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX site_spaces_default
    ON site_spaces (organization_id, site_id, coalesce(section_id, '00000000-0000-0000-0000-000000000000'))
    WHERE is_default;
CREATE UNIQUE INDEX site_spaces_once
    ON site_spaces (
        organization_id,
        site_id,
        coalesce(section_id, '00000000-0000-0000-0000-000000000000'),
        space_id
    );
CREATE UNIQUE INDEX site_spaces_path
    ON site_spaces (
        organization_id,
        site_id,
        coalesce(section_id, '00000000-0000-0000-0000-000000000000'),
        path
    );
CREATE INDEX site_spaces_section ON site_spaces (organization_id, site_id, section_id, position, id);
CREATE INDEX site_spaces_space ON site_spaces (organization_id, space_id);
COMMENT ON TABLE site_spaces IS 'Spaces that a site or one of its sections shows: its variants.';
COMMENT ON COLUMN site_spaces.draft IS 'Not shown to visitors.';
COMMENT ON COLUMN site_spaces.localized_title IS 'Titles of the space by languages.';
COMMENT ON COLUMN site_spaces.customization IS 'Settings that override those of the site; null: none.';
COMMENT ON COLUMN site_spaces.hidden IS 'Shown to visitors who have its address, but in no menu.';
COMMENT ON COLUMN site_spaces.is_default IS
    'Default of its section, or of a site without sections. If the default was removed, the first one '
    'counts.';

CREATE TABLE site_share_links (
    organization_id uuid NOT NULL,
    site_id uuid NOT NULL,
    id uuid NOT NULL,
    name text CHECK (char_length(name) <= 50),
    active boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL,
    key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
    wrapped_key bytea NOT NULL CHECK (octet_length(wrapped_key) > 49),
    PRIMARY KEY (organization_id, site_id, id),
    CONSTRAINT site_share_links_key_hash_key UNIQUE (organization_id, site_id, key_hash),
    FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE
);

COMMENT ON TABLE site_share_links IS 'Secret links to a site.';
COMMENT ON COLUMN site_share_links.wrapped_key IS
    'Wrapped by a master key as deployment_keys.secret is.';

CREATE TABLE site_adaptive_schemas (
    organization_id uuid NOT NULL,
    site_id uuid NOT NULL,
    json_schema jsonb NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, site_id),
    FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE
);

COMMENT ON TABLE site_adaptive_schemas IS 'JSON Schema of the claims of the visitors of a site.';

CREATE TABLE site_renderers (
    organization_id uuid NOT NULL,
    site_id uuid NOT NULL,
    url text NOT NULL CHECK (char_length(url) BETWEEN 1 AND 2048),
    sealed_secret bytea NOT NULL CHECK (octet_length(sealed_secret) > 40),
    default_host text NOT NULL,
    failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    next_attempt_at timestamptz NOT NULL,
    last_attempt_at timestamptz,
    last_status integer,
    last_error text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    leased_until timestamptz,
    site_deleted boolean NOT NULL DEFAULT false,
    PRIMARY KEY (organization_id, site_id),
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

COMMENT ON TABLE site_renderers IS
    'Renderers that cache the content of sites. That of a deleted site stays until it has purged the site.';
COMMENT ON COLUMN site_renderers.sealed_secret IS 'Secret that signs requests, sealed with a key of deployment_keys.';
COMMENT ON COLUMN site_renderers.default_host IS 'Host of the deployment, where each site has an address.';
COMMENT ON COLUMN site_renderers.failures IS 'Number of failed attempts since the last success.';
COMMENT ON COLUMN site_renderers.leased_until IS
    'End of the lease of the node that sends. One node sends to a renderer at a time.';
COMMENT ON COLUMN site_renderers.site_deleted IS 'The site was deleted. The row is removed after the last purge.';

CREATE TABLE site_purges (
    organization_id uuid NOT NULL,
    site_id uuid NOT NULL,
    tag text NOT NULL,
    id uuid NOT NULL,
    PRIMARY KEY (organization_id, site_id, tag),
    FOREIGN KEY (organization_id, site_id)
        REFERENCES site_renderers (organization_id, site_id) ON DELETE CASCADE
);

COMMENT ON TABLE site_purges IS 'Cache tags that the renderer of a site has yet to purge.';
COMMENT ON COLUMN site_purges.id IS 'Id of the last change of what the tag names.';

CREATE TABLE site_visitor_auth (
    organization_id uuid NOT NULL,
    site_id uuid NOT NULL,
    fallback_url text CHECK (char_length(fallback_url) <= 2048),
    logout_url text CHECK (char_length(logout_url) <= 2048),
    PRIMARY KEY (organization_id, site_id),
    FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE
);

COMMENT ON TABLE site_visitor_auth IS 'Addresses of the service that signs visitors of a site in and out.';
COMMENT ON COLUMN site_visitor_auth.fallback_url IS 'URL that visitors without a valid token are sent to.';
COMMENT ON COLUMN site_visitor_auth.logout_url IS 'URL that visitors are sent to when they sign out.';
