-- Adds to the comment counters of a change request, and counts the change.
-- $1 space, $2 change request, $3 difference of open and $4 of resolved comments.
UPDATE change_requests
   SET comments_open = comments_open + $3, comments_resolved = comments_resolved + $4,
       comment_changes = comment_changes + 1
 WHERE space_id = $1 AND id = $2
