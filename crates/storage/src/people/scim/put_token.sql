-- Stores the SCIM token of an organization, replacing the previous one.
-- $1 organization, $2 hash of the token, $3 role of new users, $4 time.
INSERT INTO scim_tokens (organization_id, hash, default_role, created_at)
VALUES ($1, $2, $3, $4)
    ON CONFLICT (organization_id) DO UPDATE
       SET hash = excluded.hash, default_role = excluded.default_role, created_at = excluded.created_at
