-- How people are mailed about entries of their inboxes.

CREATE TABLE notification_settings (
    user_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('review-request', 'mention', 'reply', 'conflict', 'import')),
    delivery text NOT NULL CHECK (delivery IN ('at-once', 'daily', 'never')),
    PRIMARY KEY (user_id, kind),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

COMMENT ON TABLE notification_settings IS 'When people are mailed about a kind of entries; no row: at once.';
