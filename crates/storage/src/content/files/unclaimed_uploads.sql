-- Given uploads to which no unfinished import refers. $1 spaces, $2 the import in each.
SELECT u.space_id, u.id
  FROM unnest($1, $2) AS u (space_id, id)
 WHERE NOT EXISTS (SELECT
                     FROM imports i
                    WHERE i.space_id = u.space_id AND i.id = u.id AND i.finished_at IS NULL)
