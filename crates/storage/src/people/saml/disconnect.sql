-- Disconnects a user from a provider. $1 provider, $2 user.
DELETE FROM saml_identities i
 USING saml_providers p
 WHERE p.id = $1 AND i.organization_id = p.organization_id AND i.saml_provider_id = p.id AND i.user_id = $2
