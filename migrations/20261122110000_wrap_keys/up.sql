-- Keys are wrapped by the deployment's master key, which isn't in the database. SQL can't do that: what is in the clear here is wrapped
-- when a server starts (crates/storage/src/keys/unlock.rs). A wrapped value has 49 bytes more than the key in it.

ALTER TABLE deployment_keys
    DROP CONSTRAINT deployment_keys_secret_check,
    ADD CONSTRAINT deployment_keys_secret_check CHECK (octet_length(secret) IN (32, 81));
COMMENT ON COLUMN deployment_keys.secret IS 'Wrapped by a master key, whose id is in bytes 2 to 9; 32 bytes were not wrapped yet.';

ALTER TABLE organizations
    DROP CONSTRAINT organizations_visitor_key_check,
    ADD CONSTRAINT organizations_visitor_key_check CHECK (octet_length(visitor_key) IN (32, 81));
COMMENT ON COLUMN organizations.visitor_key IS 'Wrapped by a master key, as deployment_keys.secret is.';

-- A key that a visitor shows is found by its hash, as tokens are. Managers of the site see the key again and again, so it is kept, too.
ALTER TABLE site_share_links ADD COLUMN key_hash bytea, ADD COLUMN wrapped_key bytea;
UPDATE site_share_links SET key_hash = sha256(convert_to(key, 'UTF8')), wrapped_key = convert_to(key, 'UTF8');
ALTER TABLE site_share_links
    DROP COLUMN key,
    ALTER COLUMN key_hash SET NOT NULL,
    ALTER COLUMN wrapped_key SET NOT NULL,
    ADD CONSTRAINT site_share_links_key_hash_check CHECK (octet_length(key_hash) = 32),
    ADD CONSTRAINT site_share_links_key_hash_key UNIQUE (organization_id, site_id, key_hash);
COMMENT ON COLUMN site_share_links.wrapped_key IS 'Wrapped by a master key, as deployment_keys.secret is; less than 49 bytes were not wrapped yet.';
