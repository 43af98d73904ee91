-- Adds an inbox entry about the end of an import for the user who requested it, if the user may still see the space.
-- $1 space, $2 import, $3 event, $4 time.
INSERT INTO inbox_entries (user_id, id, space_id, kind, change_request_id, import_id, created_at)
SELECT i.created_by, $3, i.space_id, 'import', i.change_request_id, i.id, $4
  FROM imports i
  JOIN space_roles s ON s.space_id = i.space_id AND s.user_id = i.created_by AND s.role IS NOT NULL
 WHERE i.space_id = $1 AND i.id = $2
