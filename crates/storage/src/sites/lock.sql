-- Locks a site and returns it, with the number of its spaces that the reader sees.
-- $1 hash of the reader's token, $2 time, $3 organization, $4 site.
SELECT w.id, w.organization_id, w.type, w.title, w.visibility, w.published, w.hostname, w.basename,
       w.proxy_origin, w.adaptive_content, w.customization,
       coalesce((SELECT a.site_spaces
                   FROM site_access a
                  WHERE a.token_hash = $1 AND (a.token_expires_at IS NULL OR a.token_expires_at > $2)
                    AND a.organization_id = w.organization_id AND a.id = w.id), 0) AS site_spaces,
       w.created_at, w.pending_hostname, w.pending_proxy_origin,
       coalesce(w.basename, w.slug, w.id::text) AS name,
       (SELECT coalesce(o.address_name, o.slug, o.id::text)
          FROM organizations o
         WHERE o.id = w.organization_id)
           AS organization_name,
       w.git_sync
  FROM sites w
 WHERE w.organization_id = $3 AND w.id = $4
   FOR NO KEY UPDATE OF w
