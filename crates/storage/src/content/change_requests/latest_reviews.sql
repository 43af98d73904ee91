-- Latest review of each reviewer of a change request: the reviewer, the verdict, and whether since then the content was
-- changed only by updates from the space.
-- $1 space, $2 change request.
WITH RECURSIVE unedited AS (
    SELECT r.id, r.type, r.parents[1] AS parent
      FROM change_requests c
      JOIN revisions r ON r.space_id = c.space_id AND r.id = c.head_revision
     WHERE c.space_id = $1 AND c.id = $2
     UNION ALL
    SELECT r.id, r.type, r.parents[1]
      FROM unedited u
      JOIN revisions r ON r.space_id = $1 AND r.id = u.parent
     WHERE u.type = 'update')
SELECT DISTINCT ON (v.reviewer_id)
       v.reviewer_id, v.status, v.revision_id IN (SELECT u.id FROM unedited u) AS is_current
  FROM change_request_reviews v
 WHERE v.space_id = $1 AND v.change_request_id = $2 AND v.reviewer_id IS NOT NULL
 ORDER BY v.reviewer_id, v.id DESC
