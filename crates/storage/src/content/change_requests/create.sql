-- Creates a draft from the head of a space, with the next number of the space and its author as a contributor. Returns
-- no row if the space is deleted.
-- $1 space, $2 change request, $3 subject, $4 author, $5 time.
WITH numbered AS (
    UPDATE spaces
       SET change_requests = change_requests + 1, change_requests_draft = change_requests_draft + 1
     WHERE spaces.id = $1 AND deleted_at IS NULL
    RETURNING id, change_requests, head_revision),
made AS (
    INSERT INTO change_requests
        (space_id, id, number, status, subject, created_by, created_at, updated_at, head_revision,
         revision_initial)
    SELECT id, $2, change_requests, 'draft', $3, $4, $5, $5, head_revision, head_revision
      FROM numbered)
INSERT INTO change_request_contributors (space_id, change_request_id, user_id, revisions, updated_at)
SELECT id, $2, $4, 0, $5
  FROM numbered
