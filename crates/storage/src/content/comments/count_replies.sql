-- Adds to the number of replies of a comment. $1 space, $2 comment, $3 difference.
UPDATE comments SET replies = replies + $3 WHERE space_id = $1 AND id = $2
