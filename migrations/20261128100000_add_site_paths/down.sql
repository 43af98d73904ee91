UPDATE spaces s
   SET site_address = n.address
  FROM (SELECT DISTINCT ON (p.organization_id, p.space_id)
               p.organization_id, p.space_id,
               concat_ws('/',
                   coalesce('https://' || coalesce(w.proxy_origin, w.hostname),
                            'sites/' || w.organization_id || '/' || coalesce(w.basename, w.id::text)),
                   x.path, p.path) AS address
          FROM site_spaces p
          JOIN sites w ON w.organization_id = p.organization_id AND w.id = p.site_id AND w.published
          LEFT JOIN site_sections x
            ON x.organization_id = p.organization_id AND x.site_id = p.site_id AND x.id = p.section_id
          LEFT JOIN site_section_groups g
            ON g.organization_id = x.organization_id AND g.site_id = x.site_id AND g.id = x.group_id
         WHERE NOT (p.draft OR coalesce(x.draft, false) OR coalesce(g.draft, false))
         ORDER BY p.organization_id, p.space_id,
                  array_position(ARRAY['public', 'unlisted', 'share-link', 'visitor-auth'], w.visibility),
                  w.id, p.id) n
 WHERE s.organization_id = n.organization_id AND s.id = n.space_id AND s.site_address IS NOT NULL;

ALTER TABLE site_sections DROP COLUMN site_path;
ALTER TABLE site_spaces DROP COLUMN site_path;
