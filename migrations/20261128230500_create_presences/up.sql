-- Users who have content open now.

CREATE TABLE presences (
    space_id uuid NOT NULL,
    head_id uuid NOT NULL,
    user_id uuid NOT NULL,
    page_id uuid,
    block text,
    typing boolean NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, head_id, user_id),
    FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE,
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX presences_user ON presences (user_id);

COMMENT ON TABLE presences IS 'Users who have content open now. Expired rows are removed by the next write in the space.';
COMMENT ON COLUMN presences.head_id IS 'Change request; for the main content the id of the space.';
COMMENT ON COLUMN presences.block IS 'Key of the node in the document of the page.';
