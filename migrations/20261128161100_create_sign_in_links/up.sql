-- Links that sign a user in once.

CREATE TABLE sign_in_links (
    hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
    user_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX sign_in_links_user ON sign_in_links (user_id);
COMMENT ON TABLE sign_in_links IS 'Links that sign a user in once, by the SHA-256 of their secrets.';
