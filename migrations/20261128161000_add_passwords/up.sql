-- Passwords of users.

ALTER TABLE users
    ADD COLUMN password_hash text,
    ADD COLUMN login_email text;
CREATE UNIQUE INDEX users_login_email ON users (lower(login_email));
COMMENT ON COLUMN users.password_hash IS 'Argon2id hash as a PHC string; null: the user has no password.';
COMMENT ON COLUMN users.login_email IS
    'Unverified address that the user signs in with; null: the user signs in with the verified one.';

-- A refused sign-in has no token.
ALTER TABLE audit_entries
    DROP CONSTRAINT audit_entries_request_check,
    ADD CONSTRAINT audit_entries_request_check CHECK (
        CASE actor_type WHEN 'user' THEN num_nulls(method, path, request_id) = 0
                                         AND (token_id IS NOT NULL OR outcome = 'refused')
                        ELSE num_nonnulls(token_id, method, path, request_id) = 0 END);
