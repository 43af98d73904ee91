-- Number of the entries of an inbox whose spaces the token may see.
-- $1 user, $2 token, $3 whether to count only unread entries.
SELECT count(*)
  FROM inbox_entries e
 WHERE e.user_id = $1 AND (NOT $3 OR e.read_at IS NULL)
   AND e.space_id = ANY (ARRAY(
           SELECT a.id
             FROM space_access a
            WHERE a.token_id = $2 AND a.deleted_at IS NULL AND a.role IS NOT NULL
              AND a.id = ANY (ARRAY(SELECT DISTINCT o.space_id FROM inbox_entries o WHERE o.user_id = $1))))
