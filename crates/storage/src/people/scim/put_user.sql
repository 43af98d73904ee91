-- Stores the identity provider's data about a member.
-- $1 organization, $2 user, $3 name, $4 id at the provider, $5 address, $6 other attributes, $7 time.
INSERT INTO scim_users (organization_id, user_id, user_name, external_id, email, attributes, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (organization_id, user_id) DO UPDATE
       SET user_name = excluded.user_name, external_id = excluded.external_id, email = excluded.email,
           attributes = excluded.attributes, updated_at = excluded.updated_at
