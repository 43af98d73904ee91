-- Number of changes of comments, so that a watcher of content notices any of them in the row that it reads.

ALTER TABLE spaces ADD COLUMN comment_changes integer NOT NULL DEFAULT 0;
ALTER TABLE change_requests ADD COLUMN comment_changes integer NOT NULL DEFAULT 0;

COMMENT ON COLUMN spaces.comment_changes IS
    'Number of changes of comments on the space itself: of comments, their replies and reactions.';
COMMENT ON COLUMN change_requests.comment_changes IS
    'Number of changes of comments on the change request: of comments, their replies and reactions.';
