-- Stores the key pair of a provider that has none. $1 organization, $2 provider, $3 sealed private key, $4 certificate.
UPDATE saml_providers
   SET encryption_key = $3, encryption_certificate = $4
 WHERE organization_id = $1 AND id = $2 AND encryption_key IS NULL
