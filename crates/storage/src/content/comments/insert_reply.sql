-- Inserts a reply. Returns the profile of its author.
-- $1 space, $2 reply, $3 comment, $4 author, $5 time, $6 Markdown, $7 document.
WITH posted AS (
    INSERT INTO comment_replies (space_id, id, comment_id, posted_by, posted_at, markdown, document)
    VALUES ($1, $2, $3, $4, $5, $6, $7))
SELECT id, email, display_name, photo_url
  FROM users
 WHERE id = $4
