-- Stores the identity provider's data about a team. $1 organization, $2 team, $3 id at the provider, $4 time.
INSERT INTO scim_groups (organization_id, team_id, external_id, updated_at)
VALUES ($1, $2, $3, $4)
    ON CONFLICT (organization_id, team_id) DO UPDATE
       SET external_id = excluded.external_id, updated_at = excluded.updated_at
