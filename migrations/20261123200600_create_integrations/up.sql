-- Integrations and their installations in organizations, on spaces and on sites.

CREATE TABLE integrations (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    name text NOT NULL CHECK (name ~ '^[a-zA-Z0-9._-]{1,100}$') UNIQUE,
    version integer NOT NULL CHECK (version > 0),
    title text NOT NULL CHECK (char_length(title) BETWEEN 2 AND 30),
    description text NOT NULL CHECK (char_length(description) <= 100),
    summary text CHECK (char_length(summary) <= 2048),
    target text NOT NULL CHECK (target IN ('all', 'site', 'space', 'organization')),
    visibility text NOT NULL CHECK (visibility IN ('public', 'private', 'unlisted')),
    verified boolean NOT NULL DEFAULT false,
    scopes text[] NOT NULL,
    categories text[] NOT NULL,
    blocks jsonb,
    block_domains text[] NOT NULL,
    content_sources jsonb,
    configurations jsonb,
    external_links jsonb NOT NULL,
    content_security_policy jsonb,
    script bytea NOT NULL,
    secrets bytea NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

CREATE INDEX integrations_listing ON integrations (id) WHERE visibility = 'public';
CREATE INDEX integrations_owner ON integrations (organization_id, id);
COMMENT ON TABLE integrations IS 'Integrations that organizations have published.';
COMMENT ON COLUMN integrations.block_domains IS
    'Hosts whose links the blocks of the integration unfold, in lower case. A name that begins with *. '
    'includes all subdomains.';
COMMENT ON COLUMN integrations.script IS 'Sealed with the key of the deployment, as the secrets are.';

CREATE TABLE integration_images (
    integration_id uuid NOT NULL,
    place smallint NOT NULL CHECK (place BETWEEN 0 AND 3),
    hash text NOT NULL,
    media_type text NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (integration_id, place),
    FOREIGN KEY (integration_id) REFERENCES integrations (id) ON DELETE CASCADE
);

CREATE INDEX integration_images_hash ON integration_images (integration_id, hash);
COMMENT ON TABLE integration_images IS 'Icons and preview images of integrations.';

CREATE TABLE integration_installations (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    integration_id uuid NOT NULL,
    configuration jsonb NOT NULL,
    external_ids text[] NOT NULL,
    space_selection text NOT NULL CHECK (space_selection IN ('all', 'selected')),
    site_selection text NOT NULL CHECK (site_selection IN ('all', 'selected')),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, integration_id),
    FOREIGN KEY (integration_id) REFERENCES integrations (id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

CREATE INDEX integration_installations_integration ON integration_installations (integration_id);
COMMENT ON TABLE integration_installations IS 'Installations of an integration in an organization.';

CREATE TABLE integration_space_installations (
    organization_id uuid NOT NULL,
    installation_id uuid NOT NULL,
    space_id uuid NOT NULL,
    configuration jsonb NOT NULL,
    external_ids text[] NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, installation_id, space_id),
    CONSTRAINT integration_space_installatio_organization_id_installation_fkey
        FOREIGN KEY (organization_id, installation_id)
        REFERENCES integration_installations (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, space_id) REFERENCES spaces (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX integration_space_installations_space
    ON integration_space_installations (organization_id, space_id);
COMMENT ON TABLE integration_space_installations IS 'Settings of an installation for a space.';

CREATE TABLE integration_site_installations (
    organization_id uuid NOT NULL,
    installation_id uuid NOT NULL,
    site_id uuid NOT NULL,
    configuration jsonb NOT NULL,
    external_ids text[] NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, installation_id, site_id),
    CONSTRAINT integration_site_installation_organization_id_installation_fkey
        FOREIGN KEY (organization_id, installation_id)
        REFERENCES integration_installations (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX integration_site_installations_site ON integration_site_installations (organization_id, site_id);
COMMENT ON TABLE integration_site_installations IS 'Settings of an installation for a site.';
