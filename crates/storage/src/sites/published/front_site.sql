-- Public site that an organization shows first: its default content, or else the oldest.
-- $1 organization.
SELECT w.id
  FROM sites w
  JOIN organizations o ON o.id = w.organization_id
 WHERE w.organization_id = $1 AND w.published AND w.visibility = 'public'
 ORDER BY coalesce(o.default_content ->> 'site' = w.id::text, false) DESC, w.created_at, w.id
 LIMIT 1
