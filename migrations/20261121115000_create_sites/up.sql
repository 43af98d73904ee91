-- What organizations publish: sites, and what stands where on them.

CREATE TABLE sites (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    type text NOT NULL CHECK (type IN ('basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium')),
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
    UNIQUE (organization_id, basename)
);
-- A host name leads to one site of the whole deployment, whoever owns it.
CREATE UNIQUE INDEX sites_hostname ON sites (hostname) WHERE hostname IS NOT NULL;
COMMENT ON COLUMN sites.adaptive_content IS 'Whether visitors'' claims count; null until somebody said so.';
COMMENT ON COLUMN sites.customization IS 'The settings that were last stored; null while they are the defaults.';

CREATE TABLE site_section_groups (
    organization_id uuid NOT NULL,
    site_id uuid NOT NULL,
    id uuid NOT NULL,
    title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 100),
    icon text CHECK (char_length(icon) <= 50),
    position text COLLATE "C" NOT NULL,
    PRIMARY KEY (organization_id, site_id, id),
    FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE
);

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
    PRIMARY KEY (organization_id, site_id, id),
    UNIQUE (organization_id, site_id, path),
    FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, site_id, group_id) REFERENCES site_section_groups (organization_id, site_id, id)
        ON DELETE RESTRICT
);
CREATE INDEX site_sections_group ON site_sections (organization_id, site_id, group_id);
CREATE UNIQUE INDEX site_sections_default ON site_sections (organization_id, site_id) WHERE is_default;
COMMENT ON COLUMN site_sections.position IS 'Among the sections of its group; without one, among the site''s groups and the sections outside of them.';

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
    PRIMARY KEY (organization_id, site_id, id),
    FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, site_id, section_id) REFERENCES site_sections (organization_id, site_id, id)
        ON DELETE CASCADE,
    FOREIGN KEY (organization_id, space_id) REFERENCES spaces (organization_id, id) ON DELETE CASCADE
);
-- Without a section they stand on the site itself: all of those count as one place.
CREATE UNIQUE INDEX site_spaces_path
    ON site_spaces (organization_id, site_id, coalesce(section_id, '00000000-0000-0000-0000-000000000000'), path);
CREATE UNIQUE INDEX site_spaces_once
    ON site_spaces (organization_id, site_id, coalesce(section_id, '00000000-0000-0000-0000-000000000000'), space_id);
CREATE UNIQUE INDEX site_spaces_default
    ON site_spaces (organization_id, site_id, coalesce(section_id, '00000000-0000-0000-0000-000000000000')) WHERE is_default;
CREATE INDEX site_spaces_section ON site_spaces (organization_id, site_id, section_id, position, id);
CREATE INDEX site_spaces_space ON site_spaces (organization_id, space_id);
COMMENT ON COLUMN site_spaces.is_default IS 'What was made the default of its section, or of a site without sections. Where that is gone, the first one is.';

-- Keys are kept readable: whoever manages the site copies the link again and again.
CREATE TABLE site_share_links (
    organization_id uuid NOT NULL,
    site_id uuid NOT NULL,
    id uuid NOT NULL,
    key text NOT NULL CHECK (char_length(key) >= 32),
    name text CHECK (char_length(name) <= 50),
    active boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, site_id, id),
    UNIQUE (organization_id, site_id, key),
    FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE
);

CREATE TABLE site_adaptive_schemas (
    organization_id uuid NOT NULL,
    site_id uuid NOT NULL,
    json_schema jsonb NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, site_id),
    FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE
);

-- What the most open published site makes of a space, kept in the transactions that change sites, so that a space costs no more to read.
ALTER TABLE spaces
    ADD COLUMN site_visibility text CHECK (site_visibility IN ('public', 'unlisted', 'share-link', 'visitor-auth')),
    ADD COLUMN site_address text,
    ADD CONSTRAINT spaces_site_check CHECK ((site_visibility IS NULL) = (site_address IS NULL));
COMMENT ON COLUMN spaces.site_address IS 'Where that site shows the space: a URL, or a path below the deployment''s own.';
