-- Records with the users that they name. PostgreSQL inlines a view into the statement that selects from it, so users that a
-- statement does not select are not joined. A removed user is null.

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

CREATE VIEW reply_details AS
SELECT c.space_id, c.comment_id, c.id, c.posted_at, c.edited_at, c.markdown, c.document,
       p.id AS poster_id, p.email AS poster_email, p.display_name AS poster_display_name, p.photo_url AS poster_photo_url
  FROM comment_replies c
  LEFT JOIN users p ON p.id = c.posted_by;
COMMENT ON VIEW reply_details IS 'Replies to comments with their authors.';

CREATE VIEW review_details AS
SELECT w.space_id, w.change_request_id, w.id, w.revision_id, w.status, w.created_at,
       u.id AS reviewer_id, u.email AS reviewer_email, u.display_name AS reviewer_display_name,
       u.photo_url AS reviewer_photo_url,
       r.id AS requester_id, r.email AS requester_email, r.display_name AS requester_display_name,
       r.photo_url AS requester_photo_url
  FROM change_request_reviews w
  LEFT JOIN users u ON u.id = w.reviewer_id
  LEFT JOIN users r ON r.id = w.requested_by;
COMMENT ON VIEW review_details IS 'Reviews with their authors and the users who requested them.';

CREATE VIEW reviewer_details AS
SELECT w.space_id, w.change_request_id, w.reviewer_id, w.is_team, w.revision_id, w.created_at,
       u.id AS user_id, u.email AS user_email, u.display_name AS user_display_name, u.photo_url AS user_photo_url,
       r.id AS requester_id, r.email AS requester_email, r.display_name AS requester_display_name,
       r.photo_url AS requester_photo_url
  FROM change_request_reviewers w
  JOIN spaces s ON s.id = w.space_id
  LEFT JOIN organization_members m
    ON NOT w.is_team AND m.organization_id = s.organization_id AND m.user_id = w.reviewer_id
  LEFT JOIN users u ON u.id = m.user_id
  LEFT JOIN teams t ON w.is_team AND t.organization_id = s.organization_id AND t.id = w.reviewer_id
  LEFT JOIN users r ON r.id = w.requested_by
 WHERE u.id IS NOT NULL OR t.id IS NOT NULL;
COMMENT ON VIEW reviewer_details IS 'Requested reviewers that the organization of the space still has: members and teams.';
