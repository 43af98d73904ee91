-- Stores the person in the first response to a request. $1 organization, $2 provider, $3 hash of the state, $4 person,
-- $5 time.
UPDATE saml_sign_ins
   SET person = $4
 WHERE organization_id = $1 AND saml_provider_id = $2 AND state = $3 AND expires_at > $5 AND person IS NULL
