-- Deletes the used messages of a provider that expired before a time. $1 organization, $2 provider, $3 time.
DELETE FROM saml_messages
 WHERE organization_id = $1 AND saml_provider_id = $2 AND expires_at < $3
