-- Moves spaces to collections of another organization.
-- $1 organization, $2 other organization, $3 spaces, $4 the collection of each, $5 time.
UPDATE spaces s
   SET organization_id = $2, collection_id = d.collection_id, updated_at = $5
  FROM unnest($3, $4) AS d (id, collection_id)
 WHERE s.organization_id = $1 AND s.id = d.id
