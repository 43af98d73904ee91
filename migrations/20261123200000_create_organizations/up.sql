-- Organizations with their members, teams and sign-in, and the users and tokens of the deployment.

-- Trigrams find users by any part of their names and addresses.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text,
    display_name text NOT NULL,
    photo_url text,
    created_at timestamptz NOT NULL
);

CREATE UNIQUE INDEX users_email ON users (lower(email));
CREATE INDEX users_named
    ON users USING gin (display_name gin_trgm_ops, email gin_trgm_ops) WITH (fastupdate=off);
COMMENT ON TABLE users IS
    'People. A user exists once in the deployment and can be a member of several organizations.';
COMMENT ON COLUMN users.email IS 'Verified address; null: none. Only operators of the deployment set it.';

CREATE TABLE api_tokens (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32) UNIQUE,
    label text NOT NULL,
    read_only boolean NOT NULL DEFAULT false,
    organizations uuid[],
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    last_used_at timestamptz,
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX api_tokens_user ON api_tokens (user_id);
COMMENT ON TABLE api_tokens IS 'API tokens, looked up by the SHA-256 of the token.';
COMMENT ON COLUMN api_tokens.organizations IS
    'Organizations that the token is limited to; null: all organizations of its user.';

CREATE TABLE idempotency_keys (
    user_id uuid NOT NULL,
    key text NOT NULL CHECK (char_length(key) BETWEEN 1 AND 255),
    token_id uuid NOT NULL,
    request bytea NOT NULL CHECK (octet_length(request) = 32),
    body bytea CHECK (octet_length(body) = 32),
    body_size bigint NOT NULL CHECK (body_size >= 0),
    answer bytea,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, key),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX idempotency_keys_time ON idempotency_keys (created_at);
COMMENT ON TABLE idempotency_keys IS
    'Requests with an Idempotency-Key that were applied, and their answers, for 24 hours.';
COMMENT ON COLUMN idempotency_keys.token_id IS
    'Token of the first request. It has no foreign key, because the row outlives it.';
COMMENT ON COLUMN idempotency_keys.request IS 'SHA-256 of the method and the path with its query.';
COMMENT ON COLUMN idempotency_keys.body IS 'SHA-256 of the body; null: the operation does not read it.';
COMMENT ON COLUMN idempotency_keys.answer IS
    'Status, headers and body, sealed; null: the answer was too large to be kept.';

CREATE TABLE deployment_keys (
    name text PRIMARY KEY,
    secret bytea NOT NULL CHECK (octet_length(secret) = 81),
    created_at timestamptz NOT NULL
);

COMMENT ON TABLE deployment_keys IS 'Keys of the deployment that are shared by all nodes.';
COMMENT ON COLUMN deployment_keys.secret IS
    'Wrapped by a master key, whose id is in bytes 2 to 9.';

CREATE TABLE organizations (
    id uuid PRIMARY KEY,
    title text NOT NULL CHECK (char_length(title) BETWEEN 2 AND 255),
    hostname text UNIQUE,
    type text NOT NULL DEFAULT 'business' CHECK (type IN ('business', 'community')),
    use_case text,
    community_type text,
    email_domains text[] NOT NULL DEFAULT '{}',
    default_role smallint CHECK (default_role BETWEEN 1 AND 6),
    default_content jsonb,
    sso boolean NOT NULL DEFAULT false,
    ai boolean NOT NULL DEFAULT false,
    invite_links boolean NOT NULL DEFAULT true,
    plan text NOT NULL DEFAULT 'free',
    billing jsonb,
    trial jsonb NOT NULL DEFAULT '{"status": "notapplicable"}',
    logo text,
    custom_hostname text,
    blocked_reason text,
    search_language text NOT NULL DEFAULT 'simple',
    created_at timestamptz NOT NULL,
    visitor_key bytea CHECK (octet_length(visitor_key) = 81),
    billing_migration jsonb
);

CREATE INDEX organizations_email_domains ON organizations USING gin (email_domains);
COMMENT ON TABLE organizations IS 'Organizations: the tenants.';
COMMENT ON COLUMN organizations.default_role IS
    'Rank of the role of new members: 1 read, 2 comment, 3 edit, 4 review, 5 create, 6 admin; null: '
    'guest.';
COMMENT ON COLUMN organizations.search_language IS 'Language of the Snowball stemmer; simple: no stemming.';
COMMENT ON COLUMN organizations.visitor_key IS
    'Key that signs claims of visitors, wrapped by a master key as deployment_keys.secret is.';
COMMENT ON COLUMN organizations.billing_migration IS
    'Pending move to another billing system: deadline, discountPercent, discountEndDate.';

CREATE TABLE organization_members (
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role smallint CHECK (role BETWEEN 1 AND 6),
    disabled boolean NOT NULL DEFAULT false,
    sso boolean NOT NULL DEFAULT false,
    joined_at timestamptz NOT NULL,
    last_seen_at timestamptz,
    PRIMARY KEY (organization_id, user_id),
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX organization_members_joined ON organization_members (organization_id, joined_at, user_id);
CREATE INDEX organization_members_seen
    ON organization_members (organization_id, last_seen_at, user_id) WHERE last_seen_at IS NOT NULL;
CREATE INDEX organization_members_user ON organization_members (user_id, organization_id);
COMMENT ON TABLE organization_members IS 'Memberships of users in organizations.';
COMMENT ON COLUMN organization_members.role IS 'Rank of the role; null: guest.';

CREATE TABLE teams (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 64),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

COMMENT ON TABLE teams IS 'Teams of an organization.';

CREATE TABLE team_members (
    organization_id uuid NOT NULL,
    team_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'member')),
    PRIMARY KEY (organization_id, team_id, user_id),
    FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, user_id)
        REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
);

CREATE INDEX team_members_user ON team_members (organization_id, user_id);
COMMENT ON TABLE team_members IS 'Memberships of members of an organization in its teams.';

CREATE TABLE email_invites (
    organization_id uuid NOT NULL,
    id uuid NOT NULL UNIQUE,
    email text NOT NULL,
    role smallint CHECK (role BETWEEN 1 AND 6),
    sso boolean NOT NULL,
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX email_invites_address ON email_invites (organization_id, lower(email));
CREATE INDEX email_invites_expiry ON email_invites (expires_at);
CREATE INDEX email_invites_person ON email_invites (lower(email), id);
COMMENT ON TABLE email_invites IS 'Pending invitations by e-mail.';
COMMENT ON COLUMN email_invites.role IS 'Rank of the role of the new member; null: guest.';
COMMENT ON COLUMN email_invites.secret_hash IS
    'SHA-256 of the one-time secret with which the invitation is accepted.';

CREATE TABLE saml_providers (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    label text NOT NULL CHECK (char_length(label) BETWEEN 1 AND 30),
    sso_url text CHECK (char_length(sso_url) <= 2048),
    entity_id text CHECK (char_length(entity_id) <= 1024),
    certificate text CHECK (char_length(certificate) <= 10000),
    default_role smallint CHECK (default_role BETWEEN 1 AND 6),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

COMMENT ON TABLE saml_providers IS 'SAML identity providers of an organization.';
COMMENT ON COLUMN saml_providers.default_role IS
    'Rank of the role of people who join through the provider; null: guest.';

CREATE TABLE saml_provider_teams (
    organization_id uuid NOT NULL,
    saml_provider_id uuid NOT NULL,
    team_id uuid NOT NULL,
    PRIMARY KEY (organization_id, saml_provider_id),
    FOREIGN KEY (organization_id, saml_provider_id)
        REFERENCES saml_providers (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX saml_provider_teams_team ON saml_provider_teams (organization_id, team_id);
COMMENT ON TABLE saml_provider_teams IS 'The team that people join who sign in through a provider.';

CREATE TABLE custom_fields (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL CHECK (name ~ '^[a-z_0-9-]{1,50}$'),
    type text NOT NULL
        CHECK (type IN ('text', 'number', 'boolean', 'tags', 'select:multi', 'select:single')),
    title text NOT NULL CHECK (char_length(title) <= 100),
    description text NOT NULL CHECK (char_length(description) <= 200),
    placeholder text NOT NULL CHECK (char_length(placeholder) <= 100),
    options text[],
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK ((options IS NOT NULL) = type LIKE 'select:%'),
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, name),
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

COMMENT ON TABLE custom_fields IS 'Definitions of the custom fields of spaces.';

CREATE TABLE translation_settings (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 100),
    languages text[] NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

COMMENT ON TABLE translation_settings IS 'Translations: the languages into which an organization translates.';
