-- Mails that the queue of jobs sends.

CREATE TABLE mails (
    id uuid PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('invitation', 'sign-in-link', 'password-reset')),
    recipient text NOT NULL,
    data jsonb NOT NULL,
    event text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at timestamptz
);
COMMENT ON TABLE mails IS
    'Mails that wait to be sent, one for each event; kept for a week after they expire.';
COMMENT ON COLUMN mails.data IS
    'Ids of what the mail is about. Text and secrets are made when it is sent.';
COMMENT ON COLUMN mails.ended_at IS 'Time at which the mail was sent or refused for good; null: it waits.';

ALTER TABLE email_invites
    ADD COLUMN mailed_secret_hash bytea CHECK (octet_length(mailed_secret_hash) = 32);
COMMENT ON COLUMN email_invites.mailed_secret_hash IS
    'SHA-256 of the secret that was mailed to the invited address; null: none was.';
