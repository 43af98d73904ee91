-- Writes tags for locked renderers that may have cached their content. A tag that is still to be purged gets the new
-- id. The renderer of a deleted site only gets tags of that site, because it can be removed at any time.
-- $1 organization, $2 tag, $3 space of the sites (null for any), $4 site (null for any) and $5 id of each change, $6
-- organization and $7 site of each renderer, and $8 whether the site is deleted.
-- Subqueries hide the lengths of the arrays from the planner, which would otherwise make a plan for each length.
INSERT INTO site_purges (organization_id, site_id, tag, id)
SELECT DISTINCT ON (r.organization_id, r.site_id, c.tag) r.organization_id, r.site_id, c.tag, c.id
  FROM unnest((SELECT $1), (SELECT $2), (SELECT $3), (SELECT $4), (SELECT $5))
       AS c (organization_id, tag, space_id, site_id, id)
  JOIN unnest((SELECT $6), (SELECT $7), (SELECT $8)) AS r (organization_id, site_id, site_deleted)
    ON r.organization_id = c.organization_id
 WHERE (c.site_id = r.site_id OR c.site_id IS NULL AND NOT r.site_deleted)
   AND (c.space_id IS NULL
        OR EXISTS (SELECT 1
                     FROM site_spaces p
                    WHERE p.organization_id = r.organization_id AND p.site_id = r.site_id
                      AND p.space_id = c.space_id))
 ORDER BY r.organization_id, r.site_id, c.tag, c.id DESC
    ON CONFLICT (organization_id, site_id, tag) DO UPDATE SET id = excluded.id
