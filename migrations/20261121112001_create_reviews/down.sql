DROP INDEX change_requests_status;
ALTER TABLE comments DROP COLUMN review_id;
DROP TABLE change_request_reviewers;
DROP TABLE change_request_reviews;
