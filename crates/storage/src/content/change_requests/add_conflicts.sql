-- Adds inbox entries for the authors of change requests that conflict with the space, once per merge base. The user who
-- caused the conflict and authors who may not see the space get no entry.
-- $1 space, $2 events, $3 user who changed the space, $4 time, $5 change requests, $6 their merge bases.
INSERT INTO inbox_entries
       (user_id, id, space_id, kind, actor_id, change_request_id, revision_id, created_at)
SELECT c.created_by, n.id, c.space_id, 'conflict', $3, c.id, n.revision_id, $4
  FROM unnest($2, $5, $6) AS n (id, change_request_id, revision_id)
  JOIN change_requests c
    ON c.space_id = $1 AND c.id = n.change_request_id AND c.status IN ('draft', 'open')
  JOIN space_roles s ON s.space_id = c.space_id AND s.user_id = c.created_by AND s.role IS NOT NULL
 WHERE c.created_by <> $3
   AND NOT EXISTS (SELECT
                     FROM inbox_entries e
                    WHERE e.space_id = $1 AND e.change_request_id = c.id AND e.revision_id = n.revision_id)
