-- Sites by their addresses, each with its structure, the heads of its spaces and the visitor's credentials, including a
-- member's role on each space. No visitor meets the condition of a draft. Order of precedence: a host name, which is
-- unique; the longest origin of a proxy, which several sites may claim; a name in the default address, with a basename
-- before a slug; an id. The subqueries around the arrays hide their lengths from the planner, which would otherwise
-- make a plan for each length.
-- $1 hash of a token, $2 time, $3 host names, $4 organizations, $5 names in the default address, $6 sites, $7 hashes of
-- the keys of share links, $8 origins of proxies, $9 the positions of their addresses, from 1, $10 user of a preview,
-- in place of a token, $11 true to read the settings of site spaces, $12 names of organizations in the default address.
SELECT k.key, t.id IS NOT NULL AS has_token, m.role AS member_role, m.disabled AS member_disabled,
       EXISTS (SELECT 1
                 FROM site_share_links l
                WHERE l.organization_id = w.organization_id AND l.site_id = w.id
                  AND l.active AND l.key_hash = k.share_key) AS has_key,
       CASE WHEN w.visibility = 'visitor-auth' OR w.adaptive_content THEN o.visitor_key END AS visitor_key,
       o.search_language,
       (SELECT json_build_object('fallbackUrl', a.fallback_url, 'logoutUrl', a.logout_url)::text
          FROM site_visitor_auth a
         WHERE a.organization_id = w.organization_id AND a.site_id = w.id) AS visitor_auth,
       (SELECT md5(coalesce(string_agg(concat(q.slug, ' ', q.last_version_id), ',' ORDER BY q.slug), ''))
          FROM openapi_specs q
         WHERE q.organization_id = w.organization_id) AS specs,
       sections.items AS sections, spaces.items AS spaces,
       w.id, w.organization_id, w.type, w.title, w.visibility, w.published, w.hostname, w.basename,
       w.proxy_origin, w.adaptive_content, w.customization, spaces.total AS site_spaces, w.created_at,
       w.pending_hostname, w.pending_proxy_origin, coalesce(w.basename, w.slug, w.id::text) AS name,
       coalesce(o.address_name, o.slug, o.id::text) AS organization_name,
       w.git_sync
  FROM (SELECT u.key, u.host, u.name, u.site_id, u.share_key,
               coalesce(
                   (SELECT q.id FROM organizations q WHERE q.id = u.organization_id),
                   (SELECT q.id FROM organizations q WHERE q.slug = u.organization),
                   (SELECT q.id FROM organizations q WHERE q.address_name = u.organization))
                   AS organization_id
          FROM unnest((SELECT $3), (SELECT $4), (SELECT $12), (SELECT $5), (SELECT $6), (SELECT $7))
               WITH ORDINALITY
               AS u (host, organization_id, organization, name, site_id, share_key, key)
        -- Looks up an organization only once.
        OFFSET 0) k
 CROSS JOIN LATERAL (
       SELECT n.*
         FROM (SELECT 1 AS rank, 0 AS length, w.* FROM sites w WHERE w.hostname = k.host
                UNION ALL
               SELECT 2, char_length(w.proxy_origin), w.*
                 FROM unnest((SELECT $8), (SELECT $9)) AS g (origin, key)
                 JOIN sites w ON w.proxy_origin = g.origin
                WHERE g.key = k.key
                UNION ALL
               SELECT 3, 0, w.* FROM sites w
                WHERE w.organization_id = k.organization_id AND w.basename = k.name
                UNION ALL
               SELECT 4, 0, w.* FROM sites w
                WHERE w.organization_id = k.organization_id AND w.slug = k.name
                UNION ALL
               SELECT 5, 0, w.* FROM sites w
                WHERE w.organization_id = k.organization_id AND w.id = k.site_id) n
        ORDER BY n.rank, n.length DESC, n.created_at, n.id
        LIMIT 1) w
  JOIN organizations o ON o.id = w.organization_id
  LEFT JOIN api_tokens t
    ON t.hash = $1 AND (t.expires_at IS NULL OR t.expires_at > $2)
   AND NOT EXISTS (SELECT FROM lacking_sessions f WHERE f.token_id = t.id)
   AND (t.organizations IS NULL OR w.organization_id = ANY (t.organizations))
  LEFT JOIN organization_members m
         ON m.organization_id = w.organization_id AND m.user_id = coalesce($10, t.user_id)
 CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object(
                  'id', x.id, 'title', x.title, 'localizedTitle', x.localized_title,
                  'description', x.description, 'localizedDescription', x.localized_description,
                  'path', x.path,
                  'condition', x.condition, 'icon', x.icon, 'default', x.is_first,
                  'group', CASE WHEN x.group_id IS NOT NULL THEN
                      json_build_object('id', x.group_id, 'title', x.group_title,
                                        'localizedTitle', x.group_localized_title, 'icon', x.group_icon) END)
              ORDER BY x.top, x.inner_position, x.id), '[]')::text AS items
         FROM (SELECT v.id, v.title, v.localized_title, v.description, v.localized_description,
                      v.path, v.icon,
                      CASE WHEN v.draft OR g.draft THEN 'false' ELSE v.condition END AS condition,
                      g.id AS group_id, g.title AS group_title, g.localized_title AS group_localized_title,
                      g.icon AS group_icon,
                      coalesce(g.position, v.position) AS top,
                      CASE WHEN g.id IS NULL THEN '' ELSE v.position END COLLATE "C" AS inner_position,
                      row_number() OVER (ORDER BY v.is_default DESC, coalesce(g.position, v.position),
                                                  v.position, v.id) = 1 AS is_first
                 FROM site_sections v
                 LEFT JOIN site_section_groups g
                   ON g.organization_id = v.organization_id AND g.site_id = v.site_id AND g.id = v.group_id
                WHERE v.organization_id = w.organization_id AND v.site_id = w.id) x) sections
 CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE w.published OR p.role IS NOT NULL) AS total,
              coalesce(json_agg(json_build_object(
                  'id', p.id, 'section', p.section_id, 'path', p.path, 'condition', p.condition,
                  'default', p.is_first, 'hidden', p.hidden,
                  'customization', CASE WHEN $11 THEN p.customization END,
                  'space', p.space_id, 'title', p.title, 'localizedTitle', p.localized_title,
                  'emoji', p.emoji, 'icon', p.icon, 'language', p.language, 'revision', p.revision_id,
                  'root', p.root, 'role', p.role)
              ORDER BY p.position, p.id), '[]')::text AS items
         FROM (SELECT v.id, v.section_id, v.path, v.position, v.hidden, v.customization, v.localized_title,
                      s.id AS space_id,
                      CASE WHEN v.draft THEN 'false' ELSE v.condition END AS condition,
                      s.title, s.emoji, s.icon, s.language, r.id AS revision_id,
                      encode(r.root, 'hex') AS root,
                      CASE WHEN m.user_id IS NOT NULL THEN
                          (SELECT er.role
                             FROM effective_role(
                                      m.role, m.disabled, s.organization_id, m.user_id,
                                      s.id, c.path, s.default_level) er) END AS role,
                      row_number() OVER (PARTITION BY v.section_id
                                         ORDER BY v.is_default DESC, v.position, v.id) = 1 AS is_first
                 FROM site_spaces v
                 JOIN spaces s
                   ON s.organization_id = v.organization_id AND s.id = v.space_id AND s.deleted_at IS NULL
                 -- See the comment on space_access.content_id for the reason for coalesce.
                 JOIN revisions r ON r.space_id = coalesce(s.id, s.id) AND r.id = s.head_revision
                 LEFT JOIN collections c
                   ON c.organization_id = s.organization_id AND c.id = s.collection_id
                WHERE v.organization_id = w.organization_id AND v.site_id = w.id) p) spaces
