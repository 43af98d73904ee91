DROP VIEW comment_details;
ALTER TABLE comments DROP COLUMN target_node_quote;

CREATE VIEW comment_details AS
SELECT c.space_id, c.id, c.change_request_id, c.review_id, c.posted_by, c.posted_at, c.edited_at, c.markdown, c.document,
       c.target_revision, c.target_page, c.target_page_record, c.target_document, c.target_node, c.target_node_preview,
       c.status, c.resolved_at, c.replies,
       p.id AS poster_id, p.email AS poster_email, p.display_name AS poster_display_name, p.photo_url AS poster_photo_url,
       r.id AS resolver_id, r.email AS resolver_email, r.display_name AS resolver_display_name,
       r.photo_url AS resolver_photo_url
  FROM comments c
  LEFT JOIN users p ON p.id = c.posted_by
  LEFT JOIN users r ON r.id = c.resolved_by;
COMMENT ON VIEW comment_details IS 'Comments with their authors and the users who resolved them.';
