-- Resolves a comment or opens it again. $1 space, $2 comment, $3 status, $4 time and $5 user of the resolution.
UPDATE comments SET status = $3, resolved_at = $4, resolved_by = $5 WHERE space_id = $1 AND id = $2
