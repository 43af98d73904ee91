-- Members of an organization, in the order of their ids. $1 organization, $2 members to skip, $3 maximum.
SELECT m.user_id
  FROM organization_members m
 WHERE m.organization_id = $1
 ORDER BY m.user_id
OFFSET $2
 LIMIT $3
