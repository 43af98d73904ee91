-- Files to whose bytes rows refer: space, hash and size. $1 organization; NULL for all.
WITH named AS (
    SELECT stored_in AS space_id, space_id AS tenant, hash, size
      FROM blobs
     UNION ALL
    SELECT space_id, space_id, blob, size
      FROM pdfs
     WHERE blob IS NOT NULL
)
SELECT n.space_id, n.hash, max(n.size)
  FROM named n
 WHERE $1 IS NULL OR n.tenant IN (SELECT s.id FROM spaces s WHERE s.organization_id = $1)
 GROUP BY n.space_id, n.hash
 ORDER BY n.space_id, n.hash
