-- Access of identity providers with SCIM, and what they know of users and teams.

CREATE TABLE scim_tokens (
    organization_id uuid NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    default_role smallint CHECK (default_role BETWEEN 1 AND 6),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id),
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

COMMENT ON TABLE scim_tokens IS 'The token with which an identity provider manages the users and teams of an organization.';
COMMENT ON COLUMN scim_tokens.hash IS 'SHA-256 of the token.';
COMMENT ON COLUMN scim_tokens.default_role IS 'Rank of the role of new users; null: guest.';

CREATE TABLE scim_users (
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    user_name text NOT NULL CHECK (char_length(user_name) BETWEEN 1 AND 255),
    external_id text CHECK (char_length(external_id) BETWEEN 1 AND 255),
    email text CHECK (char_length(email) <= 254),
    attributes jsonb NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, user_id),
    FOREIGN KEY (organization_id, user_id)
        REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX scim_users_user_name ON scim_users (organization_id, lower(user_name));
CREATE INDEX scim_users_external_id ON scim_users (organization_id, external_id);
CREATE INDEX scim_users_email ON scim_users (organization_id, lower(email));
COMMENT ON TABLE scim_users IS 'Members that the identity provider of an organization manages.';
COMMENT ON COLUMN scim_users.user_name IS 'Name by which the identity provider knows the user.';
COMMENT ON COLUMN scim_users.external_id IS 'Id of the user at the identity provider.';
COMMENT ON COLUMN scim_users.email IS 'E-mail address in its canonical form, by which a first sign-in finds the user.';
COMMENT ON COLUMN scim_users.attributes IS 'Display name, parts of the name and addresses, as they were sent.';

CREATE TABLE scim_groups (
    organization_id uuid NOT NULL,
    team_id uuid NOT NULL,
    external_id text CHECK (char_length(external_id) BETWEEN 1 AND 255),
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, team_id),
    FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX scim_groups_external_id ON scim_groups (organization_id, external_id);
COMMENT ON TABLE scim_groups IS 'Teams that the identity provider of an organization manages.';
COMMENT ON COLUMN scim_groups.external_id IS 'Id of the group at the identity provider.';

-- Each check reads the table once.
ALTER TABLE audit_entries
    DROP CONSTRAINT audit_entries_actor_type_check,
    DROP CONSTRAINT audit_entries_request_check,
    -- squawk-ignore constraint-missing-not-valid
    ADD CONSTRAINT audit_entries_actor_type_check CHECK (actor_type IN ('user', 'system', 'scim')),
    -- squawk-ignore constraint-missing-not-valid
    ADD CONSTRAINT audit_entries_request_check CHECK (
        CASE actor_type WHEN 'user' THEN num_nulls(method, path, request_id) = 0
                                         AND (token_id IS NOT NULL OR outcome = 'refused')
                        WHEN 'scim' THEN num_nulls(method, path, request_id) = 0
                                         AND num_nonnulls(actor_id, token_id) = 0
                        ELSE num_nonnulls(token_id, method, path, request_id) = 0 END);
