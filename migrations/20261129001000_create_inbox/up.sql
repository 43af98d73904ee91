-- Entries of inboxes.

CREATE TABLE inbox_entries (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    space_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('review-request', 'mention', 'reply', 'conflict', 'import')),
    actor_id uuid,
    change_request_id uuid,
    comment_id uuid,
    comment_reply_id uuid,
    import_id uuid,
    revision_id uuid,
    created_at timestamptz NOT NULL,
    read_at timestamptz,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
    FOREIGN KEY (actor_id) REFERENCES users (id) ON DELETE SET NULL,
    FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, change_request_id) REFERENCES change_requests (space_id, id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, comment_id) REFERENCES comments (space_id, id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, comment_reply_id) REFERENCES comment_replies (space_id, id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, import_id) REFERENCES imports (space_id, id) ON DELETE CASCADE
);

CREATE INDEX inbox_entries_unread ON inbox_entries (user_id, id) WHERE read_at IS NULL;
CREATE INDEX inbox_entries_actor ON inbox_entries (actor_id);
CREATE INDEX inbox_entries_change_request ON inbox_entries (space_id, change_request_id);
CREATE INDEX inbox_entries_comment ON inbox_entries (space_id, comment_id);
CREATE INDEX inbox_entries_reply ON inbox_entries (space_id, comment_reply_id);
CREATE INDEX inbox_entries_import ON inbox_entries (space_id, import_id);
CREATE INDEX inbox_entries_age ON inbox_entries (created_at);

COMMENT ON TABLE inbox_entries IS 'What people are told: an entry for each user and event. Kept for 90 days.';
COMMENT ON COLUMN inbox_entries.id IS 'Id of the event. All its recipients have an entry with this id.';
COMMENT ON COLUMN inbox_entries.actor_id IS 'User who caused the event; null: a job did, or the user was removed.';
COMMENT ON COLUMN inbox_entries.revision_id IS 'Merge base of a change request with conflicts; its author is told once of each.';
COMMENT ON COLUMN inbox_entries.comment_id IS 'Comment that the event is about, or that the reply is to.';
