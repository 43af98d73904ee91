-- Collections whose path is not the path of their parent followed by their own id.
SELECT format('collection %s of organization %s has the path %s', c.id, c.organization_id, c.path)
  FROM collections c
  LEFT JOIN collections p ON p.organization_id = c.organization_id AND p.id = c.parent_id
 WHERE c.path IS DISTINCT FROM coalesce(p.path, '{}') || c.id
