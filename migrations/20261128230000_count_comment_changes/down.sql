ALTER TABLE change_requests DROP COLUMN comment_changes;
ALTER TABLE spaces DROP COLUMN comment_changes;
