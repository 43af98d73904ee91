COMMENT ON COLUMN users.email IS NULL;
UPDATE users SET email = id || '@unknown.invalid' WHERE email IS NULL;
ALTER TABLE users ALTER COLUMN email SET NOT NULL;
DROP TABLE email_invites;
