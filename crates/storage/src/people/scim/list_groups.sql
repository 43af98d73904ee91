-- Teams of an organization, in the order of their ids. $1 organization, $2 teams to skip, $3 maximum.
SELECT t.id
  FROM teams t
 WHERE t.organization_id = $1
 ORDER BY t.id
OFFSET $2
 LIMIT $3
