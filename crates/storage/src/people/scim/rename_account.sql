-- Sets the name of a member who has no other organization. $1 organization, $2 user, $3 name.
UPDATE users u
   SET display_name = $3
 WHERE u.id = $2
   AND NOT EXISTS (SELECT 1 FROM organization_members m WHERE m.user_id = $2 AND m.organization_id <> $1)
