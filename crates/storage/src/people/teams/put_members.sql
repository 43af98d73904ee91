-- Sets the roles of members in a team, and adds those that are not in it yet.
-- $1 organization, $2 team, $3 users, $4 their roles.
INSERT INTO team_members (organization_id, team_id, user_id, role)
SELECT $1, $2, joining.user_id, joining.role
  FROM unnest($3, $4) AS joining (user_id, role)
    ON CONFLICT (organization_id, team_id, user_id) DO UPDATE SET role = excluded.role
