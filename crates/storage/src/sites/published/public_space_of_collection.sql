-- First space of a collection that is on a public site.
-- $1 collection.
SELECT s.id
  FROM collections c
  JOIN spaces s ON s.organization_id = c.organization_id AND s.collection_id = c.id
 WHERE c.id = $1 AND s.site_visibility = 'public' AND s.deleted_at IS NULL
 ORDER BY s.position, s.id
 LIMIT 1
