-- Inserts a review with the user who requested it from the reviewer, or else from one of the reviewer's teams.
-- $1 space, $2 change request, $3 review, $4 reviewer, $5 reviewed revision, $6 status, $7 time.
INSERT INTO change_request_reviews
       (space_id, id, change_request_id, reviewer_id, requested_by, revision_id, status, created_at)
SELECT $1, $3, $2, $4,
       (SELECT k.requested_by
          FROM change_request_reviewers k
          JOIN spaces s ON s.id = k.space_id
         WHERE k.space_id = $1 AND k.change_request_id = $2
           AND (k.reviewer_id = $4
                OR k.is_team AND EXISTS (
                    SELECT 1
                      FROM team_members tm
                     WHERE tm.organization_id = s.organization_id AND tm.team_id = k.reviewer_id
                       AND tm.user_id = $4))
         ORDER BY k.is_team, k.created_at
         LIMIT 1),
       $5, $6, $7
