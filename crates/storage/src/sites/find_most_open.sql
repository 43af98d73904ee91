-- Published site with the widest audience that shows each of these spaces, the oldest of equal ones, with the path of
-- the space on it. Drafts are not included.
-- $1 organization, $2 spaces.
SELECT DISTINCT ON (p.space_id)
       p.space_id, w.visibility,
       coalesce(o.address_name, o.slug, o.id::text) AS organization_name,
       coalesce(w.basename, w.slug, w.id::text) AS name,
       w.hostname, w.proxy_origin, p.site_path
  FROM site_spaces p
  JOIN sites w ON w.organization_id = p.organization_id AND w.id = p.site_id AND w.published
  JOIN organizations o ON o.id = w.organization_id
  LEFT JOIN site_sections x
    ON x.organization_id = p.organization_id AND x.site_id = p.site_id AND x.id = p.section_id
  LEFT JOIN site_section_groups g
    ON g.organization_id = x.organization_id AND g.site_id = x.site_id AND g.id = x.group_id
 WHERE p.organization_id = $1 AND p.space_id = ANY ($2)
   AND NOT (p.draft OR coalesce(x.draft, false) OR coalesce(g.draft, false))
 ORDER BY p.space_id,
          array_position(ARRAY['public', 'unlisted', 'share-link', 'visitor-auth'], w.visibility), w.id, p.id
