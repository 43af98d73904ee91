-- OpenID Connect providers of organizations, and the users that they identify.

CREATE TABLE oidc_providers (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    label text NOT NULL CHECK (char_length(label) BETWEEN 1 AND 30),
    issuer text NOT NULL CHECK (char_length(issuer) <= 2048),
    client_id text NOT NULL CHECK (char_length(client_id) BETWEEN 1 AND 255),
    client_secret bytea NOT NULL,
    default_role smallint CHECK (default_role BETWEEN 1 AND 6),
    created_at timestamptz NOT NULL,
    tested_at timestamptz,
    claims jsonb,
    CHECK (num_nulls(tested_at, claims) IN (0, 2)),
    PRIMARY KEY (organization_id, id),
    UNIQUE (id),
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

COMMENT ON TABLE oidc_providers IS 'OpenID Connect providers of an organization.';
COMMENT ON COLUMN oidc_providers.client_secret IS 'Sealed with the key `oidc` of the deployment.';
COMMENT ON COLUMN oidc_providers.default_role IS
    'Rank of the role of people who join through the provider; null: guest.';
COMMENT ON COLUMN oidc_providers.tested_at IS 'Time of the last successful test; null: none.';
COMMENT ON COLUMN oidc_providers.claims IS 'Claims that the last successful test received.';

CREATE TABLE oidc_provider_teams (
    organization_id uuid NOT NULL,
    oidc_provider_id uuid NOT NULL,
    team_id uuid NOT NULL,
    PRIMARY KEY (organization_id, oidc_provider_id),
    FOREIGN KEY (organization_id, oidc_provider_id)
        REFERENCES oidc_providers (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX oidc_provider_teams_team ON oidc_provider_teams (organization_id, team_id);
COMMENT ON TABLE oidc_provider_teams IS 'The team that people join who sign in through an OpenID Connect provider.';

CREATE TABLE oidc_identities (
    organization_id uuid NOT NULL,
    oidc_provider_id uuid NOT NULL,
    subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 255),
    user_id uuid NOT NULL,
    connected_by_user boolean NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, oidc_provider_id, subject),
    FOREIGN KEY (organization_id, oidc_provider_id)
        REFERENCES oidc_providers (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX oidc_identities_user ON oidc_identities (user_id);
COMMENT ON TABLE oidc_identities IS 'Users by the subjects of OpenID Connect providers.';
COMMENT ON COLUMN oidc_identities.subject IS 'Claim `sub`, by which the provider identifies the user.';
COMMENT ON COLUMN oidc_identities.connected_by_user IS
    'True if the user, signed in, connected the identity; false if the first sign-in with it did.';
