-- Wrapped keys can't be opened here, and the version before can't use them: they are made again, and the share links are lost.
DELETE FROM site_share_links WHERE octet_length(wrapped_key) >= 49;
ALTER TABLE site_share_links ADD COLUMN key text;
UPDATE site_share_links SET key = convert_from(wrapped_key, 'UTF8');
ALTER TABLE site_share_links
    DROP COLUMN key_hash,
    DROP COLUMN wrapped_key,
    ALTER COLUMN key SET NOT NULL,
    ADD CONSTRAINT site_share_links_key_check CHECK (char_length(key) >= 32),
    ADD CONSTRAINT site_share_links_organization_id_site_id_key_key UNIQUE (organization_id, site_id, key);

UPDATE organizations SET visitor_key = NULL WHERE octet_length(visitor_key) <> 32;
ALTER TABLE organizations
    DROP CONSTRAINT organizations_visitor_key_check,
    ADD CONSTRAINT organizations_visitor_key_check CHECK (octet_length(visitor_key) = 32);
COMMENT ON COLUMN organizations.visitor_key IS NULL;

DELETE FROM deployment_keys WHERE octet_length(secret) <> 32;
ALTER TABLE deployment_keys
    DROP CONSTRAINT deployment_keys_secret_check,
    ADD CONSTRAINT deployment_keys_secret_check CHECK (octet_length(secret) = 32);
COMMENT ON COLUMN deployment_keys.secret IS NULL;
