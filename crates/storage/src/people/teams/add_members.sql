-- Adds members to a team. Existing members of the team keep their roles.
-- $1 organization, $2 team, $3 users.
INSERT INTO team_members (organization_id, team_id, user_id, role)
SELECT $1, $2, joining, 'member'
  FROM unnest($3) AS joining
    ON CONFLICT DO NOTHING
