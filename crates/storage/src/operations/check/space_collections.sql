-- Spaces in collections that their organization does not have.
SELECT format('space %s is in collection %s, which organization %s does not have', s.id, s.collection_id,
              s.organization_id)
  FROM spaces s
 WHERE s.collection_id IS NOT NULL
   AND NOT EXISTS (SELECT
                     FROM collections c
                    WHERE c.organization_id = s.organization_id AND c.id = s.collection_id)
