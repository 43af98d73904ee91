-- Counts another run with the same failure as the last one, if it is the same.
-- $1 space, $2 direction, $3 reason, $4 commit before, $5 start, $6 end.
UPDATE git_operations o
   SET attempts = o.attempts + 1, started_at = $5, ended_at = $6
 WHERE o.space_id = $1 AND o.state = 'failure' AND o.direction = $2 AND o.error = $3
   AND o.from_commit IS NOT DISTINCT FROM $4
   AND o.id = (SELECT l.id FROM git_operations l WHERE l.space_id = $1 ORDER BY l.id DESC LIMIT 1)
