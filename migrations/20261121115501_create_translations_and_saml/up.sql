-- The languages that an organization translates into, and the identity providers that its people log in with.

CREATE TABLE translation_settings (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 100),
    languages text[] NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id)
);

CREATE TABLE saml_providers (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    label text NOT NULL CHECK (char_length(label) BETWEEN 1 AND 30),
    sso_url text CHECK (char_length(sso_url) <= 2048),
    entity_id text CHECK (char_length(entity_id) <= 1024),
    certificate text CHECK (char_length(certificate) <= 10000),
    default_role smallint CHECK (default_role BETWEEN 1 AND 6),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id)
);
COMMENT ON COLUMN saml_providers.default_role IS 'Rank of the role that people get who come through the provider; null for guests.';

-- The team that people join who come through a provider. A table of its own, so that the team can go and leave the provider.
CREATE TABLE saml_provider_teams (
    organization_id uuid NOT NULL,
    saml_provider_id uuid NOT NULL,
    team_id uuid NOT NULL,
    PRIMARY KEY (organization_id, saml_provider_id),
    FOREIGN KEY (organization_id, saml_provider_id) REFERENCES saml_providers (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX saml_provider_teams_team ON saml_provider_teams (organization_id, team_id);
