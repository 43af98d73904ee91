-- Adds to the open comments of a change request. $1 space, $2 change request, $3 difference.
UPDATE change_requests SET comments_open = comments_open + $3 WHERE space_id = $1 AND id = $2
