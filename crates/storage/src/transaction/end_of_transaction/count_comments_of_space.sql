-- Adds to the comment counters of a space, and counts the change. $1 space, $2 difference of open and $3 of resolved
-- comments.
UPDATE spaces
   SET comments_open = comments_open + $2, comments_resolved = comments_resolved + $3,
       comment_changes = comment_changes + 1
 WHERE spaces.id = $1 AND deleted_at IS NULL
