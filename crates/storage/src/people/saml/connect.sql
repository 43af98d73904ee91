-- Connects an identity to a user. Writes no row if another user has it.
-- $1 organization, $2 provider, $3 subject, $4 user, $5 whether the user requested it, $6 time.
INSERT INTO saml_identities
    (organization_id, saml_provider_id, subject, user_id, connected_by_user, created_at)
VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (organization_id, saml_provider_id, subject) DO UPDATE
       SET connected_by_user = saml_identities.connected_by_user OR excluded.connected_by_user
     WHERE saml_identities.user_id = excluded.user_id
