-- Writes the paths of the sections and spaces of a site below its root, where they differ. A default section and a
-- default space are left out, unless the path would then name a section. The default is the flagged section or space
-- among the visible ones, or else the first. A deleted space counts as visible, because it may be restored.
-- $1 organization, $2 site.
WITH spaces AS (
    SELECT p.id, p.section_id, x.path AS section, p.path, n.is_shown,
           n.is_shown
           AND row_number() OVER (PARTITION BY p.section_id
                                  ORDER BY n.is_shown DESC, p.is_default DESC, p.position, p.id) = 1
               AS is_default
      FROM site_spaces p
      LEFT JOIN site_sections x
        ON x.organization_id = p.organization_id AND x.site_id = p.site_id AND x.id = p.section_id
      LEFT JOIN site_section_groups g
        ON g.organization_id = x.organization_id AND g.site_id = x.site_id AND g.id = x.group_id
     CROSS JOIN LATERAL (
           SELECT NOT (p.draft OR coalesce(x.draft, false) OR coalesce(g.draft, false)) AS is_shown) n
     WHERE p.organization_id = $1 AND p.site_id = $2
), sections AS (
    SELECT x.id, x.path, n.is_shown,
           n.is_shown
           AND row_number() OVER (ORDER BY n.is_shown DESC, x.is_default DESC,
                                           coalesce(g.position, x.position),
                                           CASE WHEN g.id IS NULL THEN '' ELSE x.position END COLLATE "C",
                                           x.id) = 1
               AS is_default
      FROM site_sections x
      LEFT JOIN site_section_groups g
        ON g.organization_id = x.organization_id AND g.site_id = x.site_id AND g.id = x.group_id
     CROSS JOIN LATERAL (
           SELECT EXISTS (SELECT 1 FROM spaces p WHERE p.section_id = x.id AND p.is_shown) AS is_shown) n
     WHERE x.organization_id = $1 AND x.site_id = $2
), written_sections AS (
    UPDATE site_sections w
       SET site_path = n.site_path
      FROM (SELECT x.id, CASE WHEN x.is_default THEN '' ELSE x.path END AS site_path FROM sections x) n
     WHERE w.organization_id = $1 AND w.site_id = $2 AND w.id = n.id AND w.site_path <> n.site_path
)
UPDATE site_spaces w
   SET site_path = n.site_path
  FROM (SELECT p.id,
               concat_ws('/',
                   CASE
                       WHEN NOT coalesce(x.is_default, false) THEN p.section
                       WHEN NOT p.is_default AND EXISTS (
                           SELECT 1 FROM sections o WHERE o.path = p.path AND o.is_shown)
                       THEN p.section
                   END,
                   CASE WHEN NOT p.is_default THEN p.path END) AS site_path
          FROM spaces p
          LEFT JOIN sections x ON x.id = p.section_id) n
 WHERE w.organization_id = $1 AND w.site_id = $2 AND w.id = n.id AND w.site_path <> n.site_path
