-- Teams by their id at the identity provider. $1 organization, $2 id, $3 maximum.
SELECT g.team_id
  FROM scim_groups g
 WHERE g.organization_id = $1 AND g.external_id = $2
 ORDER BY g.team_id
 LIMIT $3
