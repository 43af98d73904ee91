-- Grants a role on a collection to users and teams, replacing their previous role.
-- $1 organization, $2 collection, $3 ids of new grants, $4 users and $5 teams, one of them null, $6 role, $7 time.
INSERT INTO content_grants (organization_id, collection_id, id, user_id, team_id, role, created_at)
SELECT $1, $2, grantee.id, grantee.user_id, grantee.team_id, $6, $7
  FROM unnest($3, $4, $5) AS grantee (id, user_id, team_id)
    ON CONFLICT (organization_id, collection_id, coalesce(user_id, team_id)) WHERE collection_id IS NOT NULL
       DO UPDATE SET role = excluded.role
