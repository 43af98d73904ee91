-- Moves the head of a change request to a revision that replaces it, by compare-and-set. Returns no row if the head has
-- moved.
-- $1 space, $2 change request, $3 head before, $4 head after, $5 time, $6 author.
WITH moved AS (
    UPDATE change_requests
       SET head_revision = $4, updated_at = $5
     WHERE space_id = $1 AND id = $2 AND head_revision = $3
    RETURNING space_id, id),
replaced AS (
    UPDATE revisions
       SET begun_at = coalesce(begun_at, created_at), replaced_at = $5
     WHERE space_id = $1 AND id = $3)
UPDATE change_request_contributors c
   SET updated_at = $5
  FROM moved
 WHERE c.space_id = moved.space_id AND c.change_request_id = moved.id AND c.user_id = $6
