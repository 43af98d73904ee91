-- Revisions of a change request that saves amended: the id, the root of the tree, the root of the parent's tree, the
-- times of the first save, of the last save and of the replacement, and whether other rows refer to the revision.
-- $1 space, $2 change request.
SELECT r.id, r.root, p.root, r.begun_at, r.created_at, r.replaced_at,
       EXISTS (SELECT
                 FROM comments c
                WHERE c.space_id = $1 AND c.change_request_id = $2 AND c.target_revision = r.id)
       OR EXISTS (SELECT FROM change_request_reviews w WHERE w.space_id = $1 AND w.revision_id = r.id)
       OR EXISTS (SELECT FROM change_request_reviewers q WHERE q.space_id = $1 AND q.revision_id = r.id)
       OR EXISTS (SELECT FROM pdfs d WHERE d.space_id = $1 AND d.revision_id = r.id)
  FROM revisions r
  JOIN revisions p ON p.space_id = $1 AND p.id = r.parents[1]
 WHERE r.space_id = $1 AND r.change_request_id = $2 AND r.begun_at IS NOT NULL
 ORDER BY r.id
