-- Deletes sessions and API tokens of a user who lost access to an organization: all of them if the user has no other
-- organization, or else the tokens for this one. $1 organization, $2 user.
DELETE FROM api_tokens t
 WHERE t.user_id = $2
   AND (t.organizations = ARRAY[$1]
        OR NOT EXISTS (SELECT 1
                         FROM organization_members m
                        WHERE m.user_id = $2 AND m.organization_id <> $1 AND NOT m.disabled))
