DROP INDEX comment_replies_space_author;
DROP INDEX comments_space_author;
ALTER TABLE change_requests DROP COLUMN comments_resolved;
ALTER TABLE spaces DROP COLUMN comments_resolved;
