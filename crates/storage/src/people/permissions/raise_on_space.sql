-- Raises the role granted to a user on a space. A stronger grant is kept.
-- $1 organization, $2 id of a new grant, $3 space, $4 user, $5 role, $6 time.
INSERT INTO content_grants (organization_id, id, space_id, user_id, role, created_at)
VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (organization_id, space_id, coalesce(user_id, team_id)) WHERE space_id IS NOT NULL
       DO UPDATE SET role = greatest(content_grants.role, excluded.role)
