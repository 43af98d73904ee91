-- Requests a review of several users and teams. Those that are requested already keep their request.
-- $1 space, $2 change request, $3 ids of users and teams, $4 which of them are teams, $5 user who requests, $6 head,
-- $7 time.
INSERT INTO change_request_reviewers
       (space_id, change_request_id, reviewer_id, is_team, requested_by, revision_id, created_at)
SELECT $1, $2, n.id, n.is_team, $5, $6, $7
  FROM unnest($3, $4) AS n (id, is_team)
    ON CONFLICT DO NOTHING
