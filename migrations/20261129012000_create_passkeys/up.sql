-- Passkeys of users, and the challenges that authenticators sign.

CREATE TABLE passkeys (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL,
    credential_id bytea NOT NULL CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 64),
    public_key text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    CONSTRAINT passkeys_credential UNIQUE (credential_id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX passkeys_user ON passkeys (user_id, id);
COMMENT ON TABLE passkeys IS 'Passkeys (WebAuthn) for the host name of the deployment.';
COMMENT ON COLUMN passkeys.public_key IS 'Public key and counter, as JSON of the library that checks them.';

CREATE TABLE passkey_challenges (
    id uuid PRIMARY KEY,
    user_id uuid,
    state text NOT NULL,
    expires_at timestamptz NOT NULL,
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX passkey_challenges_user ON passkey_challenges (user_id);
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);
COMMENT ON TABLE passkey_challenges IS 'Challenges between the two steps of a registration or sign-in. Each is used once.';
COMMENT ON COLUMN passkey_challenges.user_id IS 'User who registers a passkey; null: a sign-in.';
COMMENT ON COLUMN passkey_challenges.state IS 'State of the ceremony, as JSON of the library that checks the answer.';
