-- Returns whether a save may replace a revision: it belongs to the change request, and no comment or review refers to
-- it.
-- $1 space, $2 change request, $3 revision.
SELECT EXISTS (SELECT FROM revisions r WHERE r.space_id = $1 AND r.id = $3 AND r.change_request_id = $2)
   AND NOT EXISTS (SELECT
                     FROM comments c
                    WHERE c.space_id = $1 AND c.change_request_id = $2 AND c.target_revision = $3)
   AND NOT EXISTS (SELECT FROM change_request_reviews w WHERE w.space_id = $1 AND w.revision_id = $3)
   AND NOT EXISTS (SELECT FROM change_request_reviewers q WHERE q.space_id = $1 AND q.revision_id = $3)
