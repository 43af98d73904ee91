-- Uploads for which unfinished imports wait: space, import and size. $1 organization; NULL for all.
SELECT i.space_id, i.id, i.upload_size
  FROM imports i
 WHERE i.upload_size IS NOT NULL
   AND i.finished_at IS NULL
   AND ($1 IS NULL OR i.space_id IN (SELECT s.id FROM spaces s WHERE s.organization_id = $1))
