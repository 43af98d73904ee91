-- Second factors of users: codes of an authenticator app, and codes for its loss.

CREATE TABLE totp_secrets (
    user_id uuid PRIMARY KEY,
    secret bytea NOT NULL,
    created_at timestamptz NOT NULL,
    confirmed_at timestamptz,
    last_step bigint,
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

COMMENT ON TABLE totp_secrets IS 'Secrets of authenticator apps, at most one for each user.';
COMMENT ON COLUMN totp_secrets.secret IS 'Sealed with the key `second factors` of the deployment.';
COMMENT ON COLUMN totp_secrets.confirmed_at IS
    'Time of the first right code; null: sign-ins don''t ask for codes yet.';
COMMENT ON COLUMN totp_secrets.last_step IS 'Step of the last accepted code. Codes up to it are refused.';

CREATE TABLE recovery_codes (
    user_id uuid NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    used_at timestamptz,
    PRIMARY KEY (user_id, hash),
    FOREIGN KEY (user_id) REFERENCES totp_secrets (user_id) ON DELETE CASCADE
);

COMMENT ON TABLE recovery_codes IS 'Codes that replace one of the app once, by their SHA-256.';

ALTER TABLE api_tokens ADD COLUMN confirmed_at timestamptz;
COMMENT ON COLUMN api_tokens.confirmed_at IS
    'Time at which the user of a session last proved who they are; null: at the sign-in.';
