-- Marks entries of an inbox as read: the given ones, or all, whose spaces the token may see.
-- $1 user, $2 token, $3 entries (null for all), $4 time.
UPDATE inbox_entries e
   SET read_at = $4
 WHERE e.user_id = $1 AND e.read_at IS NULL AND ($3 IS NULL OR e.id = ANY ($3))
   AND e.space_id = ANY (ARRAY(
           SELECT a.id
             FROM space_access a
            WHERE a.token_id = $2 AND a.deleted_at IS NULL AND a.role IS NOT NULL
              AND a.id = ANY (ARRAY(SELECT DISTINCT o.space_id FROM inbox_entries o WHERE o.user_id = $1))))
