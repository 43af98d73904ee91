-- Changes the subject and the status of a change request. $1 space, $2 change request, $3 subject, $4 status, $5 time.
UPDATE change_requests SET subject = $3, status = $4, updated_at = $5 WHERE space_id = $1 AND id = $2
