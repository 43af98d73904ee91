ALTER TABLE documents ALTER COLUMN body SET COMPRESSION default;

DROP INDEX comments_resolver, comments_page;
CREATE INDEX comments_page ON comments (space_id, change_request_id, target_page, id);
CREATE INDEX comments_resolver ON comments (resolved_by);

CREATE INDEX comments_revision ON comments (space_id, target_revision);
ALTER TABLE comments
    ADD FOREIGN KEY (space_id, change_request_id) REFERENCES change_requests (space_id, id) ON DELETE CASCADE,
    ADD FOREIGN KEY (space_id, target_revision) REFERENCES revisions (space_id, id) ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED;
