-- Replaces the keys of share links.
-- $1 organizations, $2 sites, $3 share links, $4 wrapped keys.
UPDATE site_share_links l
   SET wrapped_key = n.value
  FROM unnest($1, $2, $3, $4) AS n (organization_id, site_id, id, value)
 WHERE l.organization_id = n.organization_id AND l.site_id = n.site_id AND l.id = n.id
