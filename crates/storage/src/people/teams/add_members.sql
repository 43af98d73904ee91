-- Adds members to a team; a member of the team stays what it is.
-- $1 organization, $2 team, $3 users.
INSERT INTO team_members (organization_id, team_id, user_id, role)
SELECT $1, $2, joining, 'member'
  FROM unnest($3) AS joining
    ON CONFLICT DO NOTHING
