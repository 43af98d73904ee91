-- Removes the members of a team who are not among these users. $1 organization, $2 team, $3 users.
DELETE FROM team_members m
 WHERE m.organization_id = $1 AND m.team_id = $2
   AND NOT EXISTS (SELECT 1 FROM unnest($3) AS kept (user_id) WHERE kept.user_id = m.user_id)
