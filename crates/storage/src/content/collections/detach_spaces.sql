-- Moves spaces to the root of their organization.
-- $1 organization, $2 spaces, $3 their positions.
UPDATE spaces s
   SET collection_id = NULL, position = d.position
  FROM unnest($2, $3) AS d (id, position)
 WHERE s.organization_id = $1 AND s.id = d.id
