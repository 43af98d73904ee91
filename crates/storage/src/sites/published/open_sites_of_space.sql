-- Published sites that show a space to anyone: public ones before unlisted ones, oldest first.
-- $1 space.
SELECT w.organization_id, w.id
  FROM spaces s
  JOIN site_spaces p ON p.organization_id = s.organization_id AND p.space_id = s.id AND NOT p.draft
  JOIN sites w
    ON w.organization_id = p.organization_id AND w.id = p.site_id
   AND w.published AND w.visibility IN ('public', 'unlisted')
 WHERE s.id = $1 AND s.deleted_at IS NULL
 GROUP BY w.organization_id, w.id
 ORDER BY w.visibility, w.created_at, w.id
 LIMIT 10
