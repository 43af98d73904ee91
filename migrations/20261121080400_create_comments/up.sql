CREATE TABLE comments (
    space_id uuid NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    change_request_id uuid,
    posted_by uuid REFERENCES users (id) ON DELETE SET NULL,
    posted_at timestamptz NOT NULL,
    edited_at timestamptz,
    markdown text NOT NULL,
    document jsonb NOT NULL,
    target_revision uuid NOT NULL,
    target_page uuid,
    target_page_record jsonb,
    target_document bytea,
    target_node text,
    target_node_preview text,
    status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved')),
    resolved_at timestamptz,
    resolved_by uuid REFERENCES users (id) ON DELETE SET NULL,
    replies integer NOT NULL DEFAULT 0 CHECK (replies >= 0),
    PRIMARY KEY (space_id, id),
    FOREIGN KEY (space_id, change_request_id) REFERENCES change_requests (space_id, id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, target_revision) REFERENCES revisions (space_id, id) ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED,
    CHECK ((status = 'resolved') = (resolved_at IS NOT NULL)),
    CHECK (target_node IS NULL OR target_page IS NOT NULL)
);
CREATE INDEX comments_listing ON comments (space_id, change_request_id, id);
CREATE INDEX comments_status ON comments (space_id, change_request_id, status, id);
CREATE INDEX comments_page ON comments (space_id, change_request_id, target_page, id);
CREATE INDEX comments_author ON comments (posted_by, space_id, change_request_id, id);
CREATE INDEX comments_resolver ON comments (resolved_by);
CREATE INDEX comments_revision ON comments (space_id, target_revision);
COMMENT ON COLUMN comments.target_page_record IS 'The page''s title, path and icons when the comment was posted: shown once the page is gone.';
COMMENT ON COLUMN comments.target_document IS 'The page''s document when the comment was posted: the comment is outdated once the page has another.';

CREATE TABLE comment_replies (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    comment_id uuid NOT NULL,
    posted_by uuid REFERENCES users (id) ON DELETE SET NULL,
    posted_at timestamptz NOT NULL,
    edited_at timestamptz,
    markdown text NOT NULL,
    document jsonb NOT NULL,
    PRIMARY KEY (space_id, id),
    FOREIGN KEY (space_id, comment_id) REFERENCES comments (space_id, id) ON DELETE CASCADE
);
CREATE INDEX comment_replies_listing ON comment_replies (space_id, comment_id, id);
CREATE INDEX comment_replies_author ON comment_replies (posted_by);

CREATE TABLE comment_reactions (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    comment_id uuid NOT NULL,
    reply_id uuid,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    emoji text NOT NULL CHECK (char_length(emoji) BETWEEN 1 AND 50),
    reacted_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, id),
    FOREIGN KEY (space_id, comment_id) REFERENCES comments (space_id, id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, reply_id) REFERENCES comment_replies (space_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX comment_reactions_once ON comment_reactions (space_id, comment_id, coalesce(reply_id, comment_id), emoji, user_id);
CREATE INDEX comment_reactions_reply ON comment_reactions (space_id, reply_id) WHERE reply_id IS NOT NULL;
CREATE INDEX comment_reactions_user ON comment_reactions (user_id);
COMMENT ON COLUMN comment_reactions.reply_id IS 'The reply reacted to; null: the comment itself.';
