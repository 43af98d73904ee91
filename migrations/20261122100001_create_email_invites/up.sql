-- Pending e-mail invites. Every address gets a row alike: neither the table nor the answers that are made of it depend on the users
-- that exist.

CREATE TABLE email_invites (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id uuid NOT NULL UNIQUE,
    email text NOT NULL,
    role smallint CHECK (role BETWEEN 1 AND 6),
    sso boolean NOT NULL,
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX email_invites_address ON email_invites (organization_id, lower(email));
CREATE INDEX email_invites_person ON email_invites (lower(email), id);
CREATE INDEX email_invites_expiry ON email_invites (expires_at);
COMMENT ON COLUMN email_invites.role IS 'Rank of the role that a new member gets; null for a guest.';
COMMENT ON COLUMN email_invites.secret_hash IS 'SHA-256 of the secret that lets its bearer accept, once.';

-- Addresses are verified: their users accept e-mail invites to them without the secret. An account that is made with a secret has
-- no address, as the secret doesn't prove who owns the address. Existing users keep theirs: even those that an e-mail invite made
-- got their first token from an operator.
ALTER TABLE users ALTER COLUMN email DROP NOT NULL;
COMMENT ON COLUMN users.email IS 'The verified address; null without one. Written by the operators of the deployment only.';
