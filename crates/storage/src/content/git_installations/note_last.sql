-- Adds a note to the newest entry of the log of a space. $1 space, $2 note.
UPDATE git_operations o
   SET notes = $2
 WHERE o.space_id = $1
   AND o.id = (SELECT l.id FROM git_operations l WHERE l.space_id = $1 ORDER BY l.id DESC LIMIT 1)
