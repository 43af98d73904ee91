-- Locks and returns the renderers of some organizations. The lock conflicts with their removal, so a renderer that is
-- being removed gets no tags. $1 organizations.
SELECT w.organization_id, w.site_id, w.site_deleted
  FROM site_renderers w
 WHERE w.organization_id = ANY (SELECT unnest($1))
 ORDER BY w.organization_id, w.site_id
   FOR KEY SHARE
