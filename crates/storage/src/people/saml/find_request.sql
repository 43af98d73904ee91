-- Id of the request of a started sign-in that has no response yet.
-- $1 organization, $2 provider, $3 hash of the state, $4 time.
SELECT request_id
  FROM saml_sign_ins
 WHERE organization_id = $1 AND saml_provider_id = $2 AND state = $3 AND expires_at > $4 AND person IS NULL
