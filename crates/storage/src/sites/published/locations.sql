-- Current content of a space with its locations on published sites: on one site for a visitor of that site, or on all
-- sites for the bearer of a token. No visitor meets the condition of a draft. A space outside of all sections is not
-- shown on a site with sections.
-- $1 hash of a token, $2 time, $3 space, $4 site of the visitor (null for all sites), $5 hash of the key of a share
-- link.
SELECT t.id IS NOT NULL AS has_token, o.visitor_key, o.search_language, places.items AS places,
       $columns(s),
       r.id AS revision_id, r.type, r.parents, r.root, r.merged_from, r.author_id,
       r.created_at AS revision_created_at, r.begun_at
  FROM spaces s
  JOIN organizations o ON o.id = s.organization_id
  -- See the comment on space_access.content_id for the reason for coalesce.
  JOIN revisions r ON r.space_id = coalesce(s.id, s.id) AND r.id = s.head_revision
  LEFT JOIN api_tokens t
    ON t.hash = $1 AND (t.expires_at IS NULL OR t.expires_at > $2)
   AND NOT EXISTS (SELECT FROM lacking_sessions f WHERE f.token_id = t.id)
   AND (t.organizations IS NULL OR s.organization_id = ANY (t.organizations))
 CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object(
                  'visibility', w.visibility, 'adaptive', coalesce(w.adaptive_content, false),
                  'hasKey', EXISTS (SELECT 1
                                      FROM site_share_links l
                                     WHERE l.organization_id = w.organization_id AND l.site_id = w.id
                                       AND l.active AND l.key_hash = $5),
                  'condition', CASE WHEN p.draft THEN 'false' ELSE p.condition END,
                  'sectionCondition', CASE WHEN v.draft OR g.draft THEN 'false' ELSE v.condition END,
                  'organizationName', coalesce(o.address_name, o.slug, o.id::text),
                  'name', coalesce(w.basename, w.slug, w.id::text), 'hostname', w.hostname,
                  'proxyOrigin', w.proxy_origin, 'sitePath', p.site_path)
              ORDER BY w.created_at, w.id, p.position, p.id), '[]')::text AS items
         FROM site_spaces p
         JOIN sites w ON w.organization_id = p.organization_id AND w.id = p.site_id AND w.published
         LEFT JOIN site_sections v
           ON v.organization_id = p.organization_id AND v.site_id = p.site_id AND v.id = p.section_id
         LEFT JOIN site_section_groups g
           ON g.organization_id = v.organization_id AND g.site_id = v.site_id AND g.id = v.group_id
        WHERE p.organization_id = s.organization_id AND p.space_id = s.id
          AND ($4 IS NULL OR w.id = $4)
          AND (p.section_id IS NOT NULL
               OR NOT EXISTS (SELECT 1
                                FROM site_sections x
                               WHERE x.organization_id = p.organization_id AND x.site_id = p.site_id))) places
 WHERE s.id = $3 AND s.deleted_at IS NULL
