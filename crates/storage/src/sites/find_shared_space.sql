-- Locations of a space on published sites that a share link opens, with the path of the space on the site, the reader's
-- role, and the conditions that the visitor has to meet. Drafts are left out.
-- $1 hash of a token, $2 time, $3 space, $4 hash of the key of a share link.
SELECT coalesce(o.address_name, o.slug, o.id::text) AS organization_name,
       coalesce(w.basename, w.slug, w.id::text) AS name, w.hostname, w.proxy_origin, p.site_path,
       er.role, p.condition, x.condition AS section_condition,
       $columns(s)
  FROM spaces s
  JOIN site_spaces p ON p.organization_id = s.organization_id AND p.space_id = s.id
  JOIN sites w
    ON w.organization_id = p.organization_id AND w.id = p.site_id
   AND w.published AND w.visibility = 'share-link'
  JOIN organizations o ON o.id = w.organization_id
  JOIN site_share_links l
    ON l.organization_id = w.organization_id AND l.site_id = w.id AND l.active AND l.key_hash = $4
  LEFT JOIN site_sections x
    ON x.organization_id = p.organization_id AND x.site_id = p.site_id AND x.id = p.section_id
  LEFT JOIN site_section_groups g
    ON g.organization_id = x.organization_id AND g.site_id = x.site_id AND g.id = x.group_id
  LEFT JOIN api_tokens t
    ON t.hash = $1 AND (t.expires_at IS NULL OR t.expires_at > $2)
   AND NOT EXISTS (SELECT FROM lacking_sessions f WHERE f.token_id = t.id)
   AND (t.organizations IS NULL OR s.organization_id = ANY (t.organizations))
  LEFT JOIN organization_members m ON m.organization_id = s.organization_id AND m.user_id = t.user_id
  LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id
  LEFT JOIN LATERAL effective_role(
           m.role, m.disabled, s.organization_id, t.user_id, s.id, c.path, s.default_level) er ON true
 WHERE s.id = $3 AND s.deleted_at IS NULL
   AND NOT (p.draft OR coalesce(x.draft, false) OR coalesce(g.draft, false))
 ORDER BY p.id
