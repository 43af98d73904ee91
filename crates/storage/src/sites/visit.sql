-- Site with the credentials of a visitor: a valid token, the role and state of its member, and the key of a share link.
-- $1 hash of a token, $2 time, $3 organization, $4 site, $5 hash of the key of a share link.
SELECT t.id IS NOT NULL AS has_token, m.role AS member_role, m.disabled AS member_disabled,
       EXISTS (SELECT 1
                 FROM site_share_links l
                WHERE l.organization_id = w.organization_id AND l.site_id = w.id
                  AND l.active AND l.key_hash = $5) AS has_key,
       o.visitor_key,
       w.id, w.organization_id, w.type, w.title, w.visibility, w.published, w.hostname, w.basename,
       w.proxy_origin, w.adaptive_content, w.customization,
       (SELECT count(*)
          FROM site_spaces p
          JOIN spaces s
            ON s.organization_id = p.organization_id AND s.id = p.space_id AND s.deleted_at IS NULL
          LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id
         WHERE p.organization_id = w.organization_id AND p.site_id = w.id
           AND (w.published
                OR (SELECT er.role
                      FROM effective_role(
                               m.role, m.disabled, s.organization_id, t.user_id, s.id, c.path,
                               s.default_level) er)
                   IS NOT NULL)) AS site_spaces,
       w.created_at, w.pending_hostname, w.pending_proxy_origin,
       coalesce(w.basename, w.slug, w.id::text) AS name,
       coalesce(o.address_name, o.slug, o.id::text) AS organization_name,
       w.git_sync
  FROM sites w
  JOIN organizations o ON o.id = w.organization_id
  LEFT JOIN api_tokens t
    ON t.hash = $1 AND (t.expires_at IS NULL OR t.expires_at > $2)
   AND NOT EXISTS (SELECT FROM lacking_sessions f WHERE f.token_id = t.id)
   AND (t.organizations IS NULL OR w.organization_id = ANY (t.organizations))
  LEFT JOIN organization_members m ON m.organization_id = w.organization_id AND m.user_id = t.user_id
 WHERE w.organization_id = $3 AND w.id = $4
