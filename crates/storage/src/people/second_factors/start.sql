-- Stores an unconfirmed secret of an app. Writes no row if the user has a confirmed one.
-- $1 user, $2 encrypted secret, $3 time.
INSERT INTO totp_secrets (user_id, secret, created_at)
VALUES ($1, $2, $3)
    ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
     WHERE totp_secrets.confirmed_at IS NULL
