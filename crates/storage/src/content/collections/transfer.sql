-- Moves a collection and its descendants to the root of another organization. They must not contain spaces.
-- $1 organization, $2 collection, $3 other organization, $4 number of the collection's parents, $5 its new position, $6
-- time.
UPDATE collections
   SET organization_id = $3, path = path[$4 + 1:],
       parent_id = CASE WHEN id = $2 THEN NULL ELSE parent_id END,
       position = CASE WHEN id = $2 THEN $5 ELSE position END,
       updated_at = $6
 WHERE organization_id = $1 AND $2 = ANY (path)
