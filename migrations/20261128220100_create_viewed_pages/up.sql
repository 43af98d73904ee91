-- Pages of change requests that users have viewed.

CREATE TABLE change_request_views (
    space_id uuid NOT NULL,
    change_request_id uuid NOT NULL,
    user_id uuid NOT NULL,
    pages jsonb NOT NULL,
    PRIMARY KEY (space_id, change_request_id, user_id),
    FOREIGN KEY (space_id, change_request_id) REFERENCES change_requests (space_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX change_request_views_user ON change_request_views (user_id);

COMMENT ON TABLE change_request_views IS 'Pages of a change request that a user has marked as viewed.';
COMMENT ON COLUMN change_request_views.pages IS
    'Object of page ids, each with the id of the document that was viewed; null for a page without one.';
