-- Adds a member of the organization to the given teams that exist. An existing team membership is not changed.
-- $1 organization, $2 user, $3 teams.
INSERT INTO team_members (organization_id, team_id, user_id, role)
SELECT t.organization_id, t.id, m.user_id, 'member'
  FROM teams t
  JOIN organization_members m ON m.organization_id = t.organization_id AND m.user_id = $2
 WHERE t.organization_id = $1 AND t.id = ANY ($3)
   AND NOT EXISTS (SELECT 1
                     FROM team_members x
                    WHERE x.organization_id = t.organization_id
                      AND x.team_id = t.id
                      AND x.user_id = m.user_id)
   FOR KEY SHARE
    ON CONFLICT DO NOTHING
