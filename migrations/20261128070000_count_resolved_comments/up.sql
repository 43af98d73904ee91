-- Counters of resolved comments, so that lists of comments need not count rows, and indexes for the authors of a space.

ALTER TABLE spaces ADD COLUMN comments_resolved integer NOT NULL DEFAULT 0 CHECK (comments_resolved >= 0);
ALTER TABLE change_requests ADD COLUMN comments_resolved integer NOT NULL DEFAULT 0 CHECK (comments_resolved >= 0);

UPDATE spaces s
   SET comments_resolved = n.number
  FROM (SELECT space_id, count(*) AS number
          FROM comments
         WHERE change_request_id IS NULL AND status = 'resolved'
         GROUP BY space_id) n
 WHERE s.id = n.space_id;

UPDATE change_requests r
   SET comments_resolved = n.number
  FROM (SELECT space_id, change_request_id, count(*) AS number
          FROM comments
         WHERE change_request_id IS NOT NULL AND status = 'resolved'
         GROUP BY space_id, change_request_id) n
 WHERE r.space_id = n.space_id AND r.id = n.change_request_id;

CREATE INDEX comments_space_author ON comments (space_id, posted_by);
CREATE INDEX comment_replies_space_author ON comment_replies (space_id, posted_by);
