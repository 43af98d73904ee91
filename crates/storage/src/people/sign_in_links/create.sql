-- Creates a single-use sign-in link. $1 hash of its secret, $2 user, $3 time, $4 expiry.
INSERT INTO sign_in_links (hash, user_id, created_at, expires_at)
VALUES ($1, $2, $3, $4)
