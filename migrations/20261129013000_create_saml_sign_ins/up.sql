-- Sign-ins with SAML: the users that providers identify, sign-ins that have begun, and messages that were used.

-- A sign-in names a provider by its id alone. An organization has at most 100 of them.
-- squawk-ignore disallowed-unique-constraint, constraint-missing-not-valid
ALTER TABLE saml_providers ADD CONSTRAINT saml_providers_id_key UNIQUE (id);

ALTER TABLE saml_providers ADD COLUMN tested_at timestamptz;
ALTER TABLE saml_providers ADD COLUMN claims jsonb;

COMMENT ON COLUMN saml_providers.tested_at IS 'Time of the last successful test; null: none.';
COMMENT ON COLUMN saml_providers.claims IS 'Name and attributes that the last successful test received.';

CREATE TABLE saml_identities (
    organization_id uuid NOT NULL,
    saml_provider_id uuid NOT NULL,
    subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 512),
    user_id uuid NOT NULL,
    connected_by_user boolean NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, saml_provider_id, subject),
    FOREIGN KEY (organization_id, saml_provider_id)
        REFERENCES saml_providers (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX saml_identities_user ON saml_identities (user_id);
COMMENT ON TABLE saml_identities IS 'Users by the subjects of SAML providers.';
COMMENT ON COLUMN saml_identities.subject IS '`NameID`, by which the provider identifies the user.';
COMMENT ON COLUMN saml_identities.connected_by_user IS
    'True if the user, signed in, connected the identity; false if the first sign-in with it did.';

CREATE TABLE saml_sign_ins (
    organization_id uuid NOT NULL,
    saml_provider_id uuid NOT NULL,
    state bytea NOT NULL CHECK (octet_length(state) = 32),
    request_id text NOT NULL CHECK (char_length(request_id) <= 100),
    expires_at timestamptz NOT NULL,
    person jsonb,
    PRIMARY KEY (organization_id, saml_provider_id, state),
    FOREIGN KEY (organization_id, saml_provider_id)
        REFERENCES saml_providers (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX saml_sign_ins_expiry ON saml_sign_ins (organization_id, saml_provider_id, expires_at);
COMMENT ON TABLE saml_sign_ins IS 'Sign-ins with SAML that have begun, for ten minutes.';
COMMENT ON COLUMN saml_sign_ins.state IS 'SHA-256 of `RelayState`, which the browser has in a cookie.';
COMMENT ON COLUMN saml_sign_ins.request_id IS '`ID` of the request, which the response names.';
COMMENT ON COLUMN saml_sign_ins.person IS 'Person in the response of the provider; null: none was received yet.';

CREATE TABLE saml_messages (
    organization_id uuid NOT NULL,
    saml_provider_id uuid NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, saml_provider_id, hash),
    FOREIGN KEY (organization_id, saml_provider_id)
        REFERENCES saml_providers (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX saml_messages_expiry ON saml_messages (organization_id, saml_provider_id, expires_at);
COMMENT ON TABLE saml_messages IS 'Responses and assertions that were used, until they expire.';
COMMENT ON COLUMN saml_messages.hash IS 'SHA-256 of the kind and the `ID` of the message.';
