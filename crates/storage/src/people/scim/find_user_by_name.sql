-- Members by their name at the identity provider, or by their address if the provider has not set a name.
-- $1 organization, $2 name.
SELECT s.user_id
  FROM scim_users s
 WHERE s.organization_id = $1 AND lower(s.user_name) = lower($2)
 UNION
SELECT m.user_id
  FROM users u
  JOIN organization_members m ON m.organization_id = $1 AND m.user_id = u.id
 WHERE lower(u.email) = lower($2)
   AND NOT EXISTS (SELECT 1 FROM scim_users o WHERE o.organization_id = $1 AND o.user_id = u.id)
