-- Deletes the sign-in links of a user who has no other organization. $1 organization, $2 user.
DELETE FROM sign_in_links l
 WHERE l.user_id = $2
   AND NOT EXISTS (SELECT 1
                     FROM organization_members m
                    WHERE m.user_id = $2 AND m.organization_id <> $1 AND NOT m.disabled)
