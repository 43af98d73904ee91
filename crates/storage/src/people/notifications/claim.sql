-- Marks due unread inbox entries of a limited number of users as mailed, and returns them with the users' addresses.
-- Entries of users without an address, or who may not see the space, have no address.
-- $1 time, $2 delivery, $3 time after which and $4 time until which the entries were created, $5 maximum number of
-- users.
WITH due AS (
    SELECT e.user_id, e.id, coalesce(u.email, u.login_email) AS address,
           dense_rank() OVER (ORDER BY e.user_id) AS person
      FROM inbox_entries e
      JOIN users u ON u.id = e.user_id AND coalesce(u.email, u.login_email) IS NOT NULL
      JOIN spaces s ON s.id = e.space_id AND s.deleted_at IS NULL
      JOIN space_roles r ON r.space_id = e.space_id AND r.user_id = e.user_id AND r.role IS NOT NULL
      LEFT JOIN notification_settings n ON n.user_id = e.user_id AND n.kind = e.kind
     WHERE e.mailed_at IS NULL AND e.read_at IS NULL AND e.created_at > $3 AND e.created_at <= $4
       AND coalesce(n.delivery, 'at-once') = $2),
claimed AS (
    SELECT e.user_id, e.id, d.address
      FROM inbox_entries e
      JOIN due d ON d.user_id = e.user_id AND d.id = e.id
     WHERE d.person <= $5 AND e.mailed_at IS NULL
       FOR UPDATE OF e SKIP LOCKED)
UPDATE inbox_entries e
   SET mailed_at = $1
  FROM claimed c
 WHERE e.user_id = c.user_id AND e.id = c.id
RETURNING e.user_id, c.address, e.id, e.space_id, e.change_request_id, e.comment_id
