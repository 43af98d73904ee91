-- Spaces on a site, ordered by `order_key`, with the reader's role on each. Deleted spaces are left out, and, if roles
-- matter, spaces on which the reader has no role. The default of a section, or of a site without sections, is the
-- flagged space, or else the first. The outer join to `effective_role` makes PostgreSQL compute the role once per row.
-- $1 hash of the reader's token, $2 time, $3 organization, $4 site, $5 whether to ignore roles on the spaces, $6 only
-- default spaces or only others, $7 only this site space and $8 only those of these sections (null for all), $9 key
-- after which the page starts (empty for the first page), $10 limit.
SELECT v.site_space_id, v.section_id, v.site_path, v.path, v.localized_title, v.condition, v.draft,
       v.hidden, v.is_default, v.order_key, er.role,
       $columns(s)
  FROM (SELECT p.organization_id, p.space_id, p.id AS site_space_id, p.section_id, p.site_path,
               p.path, p.localized_title, p.condition, p.draft, p.hidden,
               row_number() OVER (PARTITION BY p.section_id ORDER BY p.is_default DESC, p.position, p.id) = 1
                   AS is_default,
               (coalesce(g.position, x.position, '')
                || '/' || CASE WHEN g.id IS NULL THEN '' ELSE x.position END
                || '/' || p.position || '/' || p.id) COLLATE "C" AS order_key
          FROM site_spaces p
          JOIN spaces s
            ON s.organization_id = p.organization_id AND s.id = p.space_id AND s.deleted_at IS NULL
          LEFT JOIN site_sections x
            ON x.organization_id = p.organization_id AND x.site_id = p.site_id AND x.id = p.section_id
          LEFT JOIN site_section_groups g
            ON g.organization_id = x.organization_id AND g.site_id = x.site_id AND g.id = x.group_id
         WHERE p.organization_id = $3 AND p.site_id = $4) v
  JOIN spaces s ON s.organization_id = v.organization_id AND s.id = v.space_id
  LEFT JOIN api_tokens t
    ON t.hash = $1 AND (t.expires_at IS NULL OR t.expires_at > $2)
   AND (t.organizations IS NULL OR v.organization_id = ANY (t.organizations))
  LEFT JOIN organization_members m ON m.organization_id = v.organization_id AND m.user_id = t.user_id
  LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id
  LEFT JOIN LATERAL effective_role(
           m.role, m.disabled, s.organization_id, t.user_id, s.id, c.path, s.default_level) er ON true
 WHERE ($5 OR er.role IS NOT NULL)
   AND ($6 IS NULL OR v.is_default = $6) AND ($7 IS NULL OR v.site_space_id = $7)
   AND ($8 IS NULL OR v.section_id = ANY ($8)) AND v.order_key > $9
 ORDER BY v.order_key
 LIMIT $10
