-- Disconnects a user from a provider. $1 provider, $2 user.
DELETE FROM oidc_identities i
 USING oidc_providers p
 WHERE p.id = $1 AND i.organization_id = p.organization_id AND i.oidc_provider_id = p.id AND i.user_id = $2
