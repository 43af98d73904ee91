-- Given entries of an inbox that are unread and belong to spaces that the user may see, newest first.
-- $1 user, $2 entries, $3 limit.
SELECT e.id, e.kind, s.organization_id, e.space_id, s.title, c.id, c.number, c.subject, e.comment_id,
       e.comment_reply_id,
       left(CASE WHEN e.comment_reply_id IS NULL THEN k.markdown ELSE r.markdown END, 300),
       i.id, i.status, e.created_at, e.read_at, k.target_page_record ->> 'path',
       u.id, u.email, u.display_name, u.photo_url
  FROM inbox_entries e
  JOIN spaces s ON s.id = e.space_id AND s.deleted_at IS NULL
  JOIN space_roles a ON a.space_id = e.space_id AND a.user_id = e.user_id AND a.role IS NOT NULL
  LEFT JOIN change_requests c ON c.space_id = e.space_id AND c.id = e.change_request_id
  LEFT JOIN comments k ON k.space_id = e.space_id AND k.id = e.comment_id
  LEFT JOIN comment_replies r ON r.space_id = e.space_id AND r.id = e.comment_reply_id
  LEFT JOIN imports i ON i.space_id = e.space_id AND i.id = e.import_id
  LEFT JOIN users u ON u.id = e.actor_id
 WHERE e.user_id = $1 AND e.id = ANY ($2) AND e.read_at IS NULL
 ORDER BY e.id DESC
 LIMIT $3
