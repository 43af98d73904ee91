-- Moves the head of a change request by compare-and-set, and counts the revision of its author. Returns no row if the
-- head has moved.
-- $1 space, $2 change request, $3 head before, $4 head after, $5 time, $6 author.
WITH moved AS (
    UPDATE change_requests
       SET head_revision = $4, updated_at = $5
     WHERE space_id = $1 AND id = $2 AND head_revision = $3
    RETURNING space_id, id)
INSERT INTO change_request_contributors AS c (space_id, change_request_id, user_id, revisions, updated_at)
SELECT space_id, id, $6, 1, $5
  FROM moved
    ON CONFLICT (space_id, change_request_id, user_id) DO UPDATE
   SET revisions = c.revisions + 1, updated_at = excluded.updated_at
