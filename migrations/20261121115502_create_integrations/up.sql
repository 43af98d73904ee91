-- Integrations: published by one organization, installed by others, on themselves and on their spaces.

-- A catalogue across organizations: an integration is found by its name, wherever it is installed.
CREATE TABLE integrations (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    name text NOT NULL UNIQUE CHECK (name ~ '^[a-zA-Z0-9._-]{1,100}$'),
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
    updated_at timestamptz NOT NULL
);
CREATE INDEX integrations_owner ON integrations (organization_id, id);
CREATE INDEX integrations_listing ON integrations (id) WHERE visibility = 'public';
COMMENT ON COLUMN integrations.block_domains IS 'The hosts whose links its blocks unfold, lowercase; one that begins with *. stands for all below it.';
COMMENT ON COLUMN integrations.script IS 'Sealed with the deployment''s key, as are the secrets.';

-- The icon (place 0) and the previews (1 to 3). They are small, and go with their integration.
CREATE TABLE integration_images (
    integration_id uuid NOT NULL REFERENCES integrations (id) ON DELETE CASCADE,
    place smallint NOT NULL CHECK (place BETWEEN 0 AND 3),
    hash text NOT NULL,
    media_type text NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (integration_id, place)
);
CREATE INDEX integration_images_hash ON integration_images (integration_id, hash);

CREATE TABLE integration_installations (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    integration_id uuid NOT NULL REFERENCES integrations (id) ON DELETE CASCADE,
    configuration jsonb NOT NULL,
    external_ids text[] NOT NULL,
    space_selection text NOT NULL CHECK (space_selection IN ('all', 'selected')),
    site_selection text NOT NULL CHECK (site_selection IN ('all', 'selected')),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, integration_id)
);
CREATE INDEX integration_installations_integration ON integration_installations (integration_id);

CREATE TABLE integration_space_installations (
    organization_id uuid NOT NULL,
    installation_id uuid NOT NULL,
    space_id uuid NOT NULL,
    configuration jsonb NOT NULL,
    external_ids text[] NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, installation_id, space_id),
    FOREIGN KEY (organization_id, installation_id) REFERENCES integration_installations (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, space_id) REFERENCES spaces (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX integration_space_installations_space ON integration_space_installations (organization_id, space_id);
