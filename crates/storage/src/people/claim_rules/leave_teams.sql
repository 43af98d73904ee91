-- Removes a user from teams, except from teams that the user owns. $1 organization, $2 user, $3 teams.
DELETE FROM team_members
 WHERE organization_id = $1 AND user_id = $2 AND team_id = ANY ($3) AND role <> 'owner'
