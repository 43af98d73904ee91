-- Who may call: users and their tokens, organizations and their members and teams.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;

-- Keys that belong to the whole deployment (signed file URLs, encryption at rest).
CREATE TABLE deployment_keys (
    name text PRIMARY KEY,
    secret bytea NOT NULL CHECK (octet_length(secret) = 32),
    created_at timestamptz NOT NULL
);

CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL,
    display_name text NOT NULL,
    photo_url text,
    created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX users_email ON users (lower(email));

-- Only the SHA-256 of a token is kept.
CREATE TABLE api_tokens (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    label text NOT NULL,
    read_only boolean NOT NULL DEFAULT false,
    organizations uuid[],
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    last_used_at timestamptz
);
CREATE INDEX api_tokens_user ON api_tokens (user_id);
COMMENT ON COLUMN api_tokens.organizations IS 'The organizations the token is limited to; null for all of its user.';

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
    created_at timestamptz NOT NULL
);
COMMENT ON COLUMN organizations.default_role IS 'Rank of the role new members get: 1 read, 2 comment, 3 edit, 4 review, 5 create, 6 admin; null for guests.';
COMMENT ON COLUMN organizations.search_language IS 'The text search configuration that stems this organization''s content.';

CREATE TABLE organization_members (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role smallint CHECK (role BETWEEN 1 AND 6),
    disabled boolean NOT NULL DEFAULT false,
    sso boolean NOT NULL DEFAULT false,
    joined_at timestamptz NOT NULL,
    last_seen_at timestamptz,
    PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX organization_members_user ON organization_members (user_id, organization_id);
COMMENT ON COLUMN organization_members.role IS 'Rank of the role, null for a guest.';

CREATE TABLE teams (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 64),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id)
);

CREATE TABLE team_members (
    organization_id uuid NOT NULL,
    team_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'member')),
    PRIMARY KEY (organization_id, team_id, user_id),
    FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, user_id) REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX team_members_user ON team_members (organization_id, user_id);
