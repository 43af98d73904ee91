-- Records that a message was used. Writes no row if it was used before.
-- $1 organization, $2 provider, $3 hash, $4 time after which it is refused as expired.
INSERT INTO saml_messages (organization_id, saml_provider_id, hash, expires_at)
VALUES ($1, $2, $3, $4)
    ON CONFLICT (organization_id, saml_provider_id, hash) DO NOTHING
