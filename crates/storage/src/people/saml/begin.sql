-- Stores a started sign-in. $1 organization, $2 provider, $3 hash of the state, $4 id of the request, $5 expiry.
INSERT INTO saml_sign_ins (organization_id, saml_provider_id, state, request_id, expires_at)
VALUES ($1, $2, $3, $4, $5)
