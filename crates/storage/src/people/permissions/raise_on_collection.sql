-- Raises the role granted to a user on a collection. A stronger grant is kept.
-- $1 organization, $2 id of a new grant, $3 collection, $4 user, $5 role, $6 time.
INSERT INTO content_grants (organization_id, id, collection_id, user_id, role, created_at)
VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (organization_id, collection_id, coalesce(user_id, team_id)) WHERE collection_id IS NOT NULL
       DO UPDATE SET role = greatest(content_grants.role, excluded.role)
