-- Moves a collection. The paths of the collection and its descendants start with its former parents, which are
-- replaced.
-- $1 organization, $2 collection, $3 path of its new parent, $4 number of its former parents, $5 new parent, $6 its
-- position there, $7 time.
UPDATE collections
   SET path = $3 || path[$4 + 1:],
       parent_id = CASE WHEN id = $2 THEN $5 ELSE parent_id END,
       position = CASE WHEN id = $2 THEN $6 ELSE position END,
       updated_at = CASE WHEN id = $2 THEN $7 ELSE updated_at END
 WHERE organization_id = $1 AND $2 = ANY (path)
