-- Requests reviews from users and teams, and adds inbox entries for the users and the team members who may see the
-- space. Existing requests are kept.
-- $1 space, $2 change request, $3 ids of users and teams, $4 which of them are teams, $5 requesting user, $6 head, $7
-- time, $8 organization, $9 event.
WITH requested AS (
    INSERT INTO change_request_reviewers
           (space_id, change_request_id, reviewer_id, is_team, requested_by, revision_id, created_at)
    SELECT $1, $2, n.id, n.is_team, $5, $6, $7
      FROM unnest($3, $4) AS n (id, is_team)
        ON CONFLICT DO NOTHING
    RETURNING reviewer_id, is_team),
people AS (
    SELECT q.reviewer_id AS user_id
      FROM requested q
     WHERE NOT q.is_team
     UNION
    SELECT m.user_id
      FROM requested q
      JOIN team_members m ON m.organization_id = $8 AND m.team_id = q.reviewer_id
     WHERE q.is_team)
INSERT INTO inbox_entries (user_id, id, space_id, kind, actor_id, change_request_id, created_at)
SELECT p.user_id, $9, $1, 'review-request', $5, $2, $7
  FROM people p
  JOIN space_roles s ON s.space_id = $1 AND s.user_id = p.user_id AND s.role IS NOT NULL
 WHERE p.user_id <> $5
