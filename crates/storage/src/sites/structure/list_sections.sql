-- Sections of a site, ordered by `order_key`: sections of a group are adjacent, at the position of the group. The parts
-- of the key are joined by `/`, which sorts before every digit of a position. The default section is the flagged one,
-- or else the first.
-- $1 organization, $2 site, $3 only these sections and $4 only those of these groups (null for all), $5 key after which
-- the page starts (empty for the first page), $6 limit.
SELECT v.id, v.title, v.localized_title, v.description, v.localized_description, v.is_default, v.path,
       v.condition, v.group_id, v.draft, v.icon, v.site_path, v.in_draft, v.order_key
  FROM (SELECT x.id, x.group_id, x.title, x.localized_title, x.description, x.localized_description, x.path,
               x.site_path, x.condition, x.icon, x.draft,
               coalesce(g.draft, false) AS in_draft,
               row_number() OVER (
                   ORDER BY x.is_default DESC, coalesce(g.position, x.position), x.position, x.id) = 1
                   AS is_default,
               (coalesce(g.position, x.position)
                || '/' || CASE WHEN g.id IS NULL THEN '' ELSE x.position END
                || '/' || x.id) COLLATE "C" AS order_key
          FROM site_sections x
          LEFT JOIN site_section_groups g
            ON g.organization_id = x.organization_id AND g.site_id = x.site_id AND g.id = x.group_id
         WHERE x.organization_id = $1 AND x.site_id = $2) v
 WHERE ($3 IS NULL OR v.id = ANY ($3)) AND ($4 IS NULL OR v.group_id = ANY ($4)) AND v.order_key > $5
 ORDER BY v.order_key
 LIMIT $6
