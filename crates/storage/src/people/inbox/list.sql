-- Entries of an inbox whose spaces the token may see, newest first.
-- $1 user, $2 token, $3 id below which the page starts, $4 whether to return only unread entries, $5 limit.
SELECT e.id, e.kind, s.organization_id, e.space_id, s.title, c.id, c.number, c.subject, e.comment_id,
       e.comment_reply_id,
       left(CASE WHEN e.comment_reply_id IS NULL THEN k.markdown ELSE r.markdown END, 300),
       i.id, i.status, e.created_at, e.read_at, k.target_page_record ->> 'path',
       u.id, u.email, u.display_name, u.photo_url
  FROM inbox_entries e
  JOIN spaces s ON s.id = e.space_id
  LEFT JOIN change_requests c ON c.space_id = e.space_id AND c.id = e.change_request_id
  LEFT JOIN comments k ON k.space_id = e.space_id AND k.id = e.comment_id
  LEFT JOIN comment_replies r ON r.space_id = e.space_id AND r.id = e.comment_reply_id
  LEFT JOIN imports i ON i.space_id = e.space_id AND i.id = e.import_id
  LEFT JOIN users u ON u.id = e.actor_id
 WHERE e.user_id = $1 AND e.id < $3 AND (NOT $4 OR e.read_at IS NULL)
   AND e.space_id = ANY (ARRAY(
           SELECT a.id
             FROM space_access a
            WHERE a.token_id = $2 AND a.deleted_at IS NULL AND a.role IS NOT NULL
              AND a.id = ANY (ARRAY(SELECT DISTINCT o.space_id FROM inbox_entries o WHERE o.user_id = $1))))
 ORDER BY e.id DESC
 LIMIT $5
