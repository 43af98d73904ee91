-- Adds inbox entries for the users that a comment or reply mentions, and for a reply also for participants of the
-- thread. The author, users who may not see the space, and users with an entry about the same text get none.
-- $1 space, $2 event, $3 author, $4 time, $5 change request, $6 comment, $7 reply, $8 mentioned users.
WITH people AS (
    SELECT m.user_id, 'mention' AS kind
      FROM unnest($8) AS m (user_id)
     UNION ALL
    SELECT c.posted_by, 'reply'
      FROM comments c
     WHERE c.space_id = $1 AND c.id = $6 AND $7 IS NOT NULL
     UNION ALL
    SELECT p.posted_by, 'reply'
      FROM (SELECT r.posted_by
              FROM comment_replies r
             WHERE r.space_id = $1 AND r.comment_id = $6 AND r.id < $7
             ORDER BY r.id DESC
             LIMIT 1000) AS p)
INSERT INTO inbox_entries
       (user_id, id, space_id, kind, actor_id, change_request_id, comment_id, comment_reply_id, created_at)
SELECT DISTINCT ON (p.user_id) p.user_id, $2, $1, p.kind, $3, $5, $6, $7, $4
  FROM people p
  JOIN space_roles s ON s.space_id = $1 AND s.user_id = p.user_id AND s.role IS NOT NULL
 WHERE p.user_id <> $3
   AND NOT EXISTS (SELECT
                     FROM inbox_entries e
                    WHERE e.space_id = $1 AND e.comment_id = $6 AND e.user_id = p.user_id
                      AND e.comment_reply_id IS NOT DISTINCT FROM $7)
 ORDER BY p.user_id, p.kind
