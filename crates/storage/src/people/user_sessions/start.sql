-- Starts a session.
-- $1 id, $2 user, $3 hash of the secret, $4 browser, $5 client address, $6 time, $7 expiry without use, $8 last expiry,
-- $9 whether a second factor was proven, $10 organization whose provider verified one.
INSERT INTO api_tokens
    (id, user_id, hash, label, created_at, expires_at, last_used_at, session_ends_at, user_agent, address,
     second_factor, second_factor_of)
VALUES ($1, $2, $3, 'session', $6, $7, $6, $8, $4, CAST($5 AS inet), $9, $10)
