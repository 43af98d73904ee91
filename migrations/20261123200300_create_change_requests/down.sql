DROP TABLE comment_reactions;
DROP TABLE comment_replies;
DROP TABLE comments;
DROP TABLE change_request_reviews;
DROP TABLE change_request_reviewers;
DROP TABLE change_request_contributors;
ALTER TABLE revisions DROP CONSTRAINT revisions_space_id_merged_from_fkey;
ALTER TABLE revisions DROP CONSTRAINT revisions_space_id_change_request_id_fkey;
DROP TABLE change_requests;
