-- Removes tags that the renderer of a site has purged, unless their content has changed since they were read. Rows are
-- locked in the order of their tags, like in their writers.
-- $1 organization, $2 site, $3 tags, $4 ids of their last changes.
DELETE FROM site_purges d
 USING (SELECT p.tag, p.id
          FROM site_purges p
          JOIN unnest($3, $4) AS k (tag, id) ON k.tag = p.tag AND k.id = p.id
         WHERE p.organization_id = $1 AND p.site_id = $2
         ORDER BY p.tag
           FOR UPDATE OF p) done
 WHERE d.organization_id = $1 AND d.site_id = $2 AND d.tag = done.tag AND d.id = done.id
