-- Members by their id at the identity provider. $1 organization, $2 id, $3 maximum.
SELECT s.user_id
  FROM scim_users s
 WHERE s.organization_id = $1 AND s.external_id = $2
 ORDER BY s.user_id
 LIMIT $3
