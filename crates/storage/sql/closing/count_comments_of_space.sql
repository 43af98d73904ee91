-- Adds to the open comments of a space. $1 space, $2 difference.
UPDATE spaces SET comments_open = comments_open + $2 WHERE spaces.id = $1 AND deleted_at IS NULL
