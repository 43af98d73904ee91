-- Paths of sections and spaces below the root of their site, as visitors find them: without the default section and the
-- default space.

ALTER TABLE site_sections ADD COLUMN site_path text NOT NULL DEFAULT '';
ALTER TABLE site_spaces ADD COLUMN site_path text NOT NULL DEFAULT '';
COMMENT ON COLUMN site_sections.site_path IS
    'Path below the root of the site, empty for the default section. Written when the structure changes.';
COMMENT ON COLUMN site_spaces.site_path IS
    'Path below the root of the site, without the default section and the default space. Written when the structure '
    'changes.';

WITH shown AS (
    SELECT p.organization_id, p.site_id, p.id, p.section_id, x.path AS section, p.path, n.is_shown,
           n.is_shown
           AND row_number() OVER (PARTITION BY p.organization_id, p.site_id, p.section_id
                                  ORDER BY n.is_shown DESC, p.is_default DESC, p.position, p.id) = 1
               AS is_default
      FROM site_spaces p
      LEFT JOIN site_sections x
        ON x.organization_id = p.organization_id AND x.site_id = p.site_id AND x.id = p.section_id
      LEFT JOIN site_section_groups g
        ON g.organization_id = x.organization_id AND g.site_id = x.site_id AND g.id = x.group_id
     CROSS JOIN LATERAL (
           SELECT NOT (p.draft OR coalesce(x.draft, false) OR coalesce(g.draft, false)) AS is_shown) n
), sections AS (
    SELECT x.organization_id, x.site_id, x.id, x.path, n.is_shown,
           n.is_shown
           AND row_number() OVER (PARTITION BY x.organization_id, x.site_id
                                  ORDER BY n.is_shown DESC, x.is_default DESC,
                                           coalesce(g.position, x.position),
                                           CASE WHEN g.id IS NULL THEN '' ELSE x.position END COLLATE "C",
                                           x.id) = 1
               AS is_default
      FROM site_sections x
      LEFT JOIN site_section_groups g
        ON g.organization_id = x.organization_id AND g.site_id = x.site_id AND g.id = x.group_id
     CROSS JOIN LATERAL (
           SELECT EXISTS (SELECT 1
                            FROM shown p
                           WHERE p.organization_id = x.organization_id AND p.site_id = x.site_id
                             AND p.section_id = x.id AND p.is_shown) AS is_shown) n
), written_sections AS (
    UPDATE site_sections w
       SET site_path = n.site_path
      FROM (SELECT x.organization_id, x.site_id, x.id,
                   CASE WHEN x.is_default THEN '' ELSE x.path END AS site_path
              FROM sections x) n
     WHERE w.organization_id = n.organization_id AND w.site_id = n.site_id AND w.id = n.id
       AND w.site_path <> n.site_path
)
UPDATE site_spaces w
   SET site_path = n.site_path
  FROM (SELECT p.organization_id, p.site_id, p.id,
               concat_ws('/',
                   CASE
                       WHEN NOT coalesce(x.is_default, false) THEN p.section
                       WHEN NOT p.is_default AND EXISTS (
                           SELECT 1
                             FROM sections o
                            WHERE o.organization_id = p.organization_id AND o.site_id = p.site_id
                              AND o.path = p.path AND o.is_shown)
                       THEN p.section
                   END,
                   CASE WHEN NOT p.is_default THEN p.path END) AS site_path
          FROM shown p
          LEFT JOIN sections x
            ON x.organization_id = p.organization_id AND x.site_id = p.site_id AND x.id = p.section_id) n
 WHERE w.organization_id = n.organization_id AND w.site_id = n.site_id AND w.id = n.id
   AND w.site_path <> n.site_path;

-- The addresses of spaces have the long paths so far.
UPDATE spaces s
   SET site_address = n.address
  FROM (SELECT DISTINCT ON (p.organization_id, p.space_id)
               p.organization_id, p.space_id,
               concat_ws('/',
                   coalesce('https://' || coalesce(w.proxy_origin, w.hostname),
                            'sites/' || w.organization_id || '/' || coalesce(w.basename, w.id::text)),
                   nullif(p.site_path, '')) AS address
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
