-- Stores the key pair of a provider without one. $1 organization, $2 provider, $3 encrypted private key, $4
-- certificate.
UPDATE saml_providers
   SET encryption_key = $3, encryption_certificate = $4
 WHERE organization_id = $1 AND id = $2 AND encryption_key IS NULL
