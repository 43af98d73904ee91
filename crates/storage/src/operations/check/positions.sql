-- Positions in a collection, or at the root of an organization, that several spaces and collections have.
SELECT format('%s spaces and collections of organization %s have the position %s in %s', count(*),
              t.organization_id, t.position, coalesce('collection ' || t.parent, 'its root'))
  FROM (SELECT s.organization_id, s.collection_id AS parent, s.position
          FROM spaces s
         UNION ALL
        SELECT c.organization_id, c.parent_id, c.position
          FROM collections c) t
 GROUP BY t.organization_id, t.parent, t.position
HAVING count(*) > 1
