-- Section groups of a site and its sections outside of groups, in their order: id, position, and whether it is a
-- section.
-- $1 organization, $2 site.
SELECT id, position, true AS is_section
  FROM site_sections
 WHERE organization_id = $1 AND site_id = $2 AND group_id IS NULL
 UNION ALL
SELECT id, position, false
  FROM site_section_groups
 WHERE organization_id = $1 AND site_id = $2
 ORDER BY position, id
