-- Teams by their title. $1 organization, $2 title, $3 maximum.
SELECT t.id
  FROM teams t
 WHERE t.organization_id = $1 AND lower(t.title) = lower($2)
 ORDER BY t.id
 LIMIT $3
