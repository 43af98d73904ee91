-- Change requests, their reviews, and comments on spaces and change requests.

CREATE TABLE change_requests (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    number integer NOT NULL CHECK (number > 0),
    status text NOT NULL CHECK (status IN ('draft', 'open', 'archived', 'merged')),
    subject text NOT NULL CHECK (char_length(subject) <= 100),
    created_by uuid,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    head_revision uuid NOT NULL,
    revision_initial uuid NOT NULL,
    revision_merged_ancestor uuid,
    revision_merged uuid,
    comments_open integer NOT NULL DEFAULT 0 CHECK (comments_open >= 0),
    CHECK ((status = 'merged') = (revision_merged IS NOT NULL)),
    PRIMARY KEY (space_id, id),
    UNIQUE (space_id, number),
    FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL,
    FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, head_revision) REFERENCES revisions (space_id, id) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (space_id, revision_initial)
        REFERENCES revisions (space_id, id) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (space_id, revision_merged_ancestor)
        REFERENCES revisions (space_id, id) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (space_id, revision_merged)
        REFERENCES revisions (space_id, id) DEFERRABLE INITIALLY DEFERRED
);

CREATE INDEX change_requests_author ON change_requests (created_by);
CREATE INDEX change_requests_head ON change_requests (space_id, head_revision);
CREATE INDEX change_requests_initial ON change_requests (space_id, revision_initial);
CREATE INDEX change_requests_listing ON change_requests (space_id, status, number DESC);
CREATE INDEX change_requests_merged ON change_requests (space_id, revision_merged);
CREATE INDEX change_requests_merged_ancestor ON change_requests (space_id, revision_merged_ancestor);
CREATE INDEX change_requests_status ON change_requests (status, id DESC);
CREATE INDEX change_requests_updated ON change_requests (space_id, status, updated_at DESC, id DESC);
COMMENT ON TABLE change_requests IS 'Change requests of a space, with the head of their working copy.';
COMMENT ON COLUMN change_requests.revision_merged_ancestor IS
    'Revision of the main content that was last pulled into the change request; null before the first '
    'update.';

ALTER TABLE revisions
    ADD FOREIGN KEY (space_id, change_request_id)
        REFERENCES change_requests (space_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE revisions
    ADD FOREIGN KEY (space_id, merged_from)
        REFERENCES change_requests (space_id, id) DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE change_request_contributors (
    space_id uuid NOT NULL,
    change_request_id uuid NOT NULL,
    user_id uuid NOT NULL,
    revisions integer NOT NULL DEFAULT 0,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, change_request_id, user_id),
    FOREIGN KEY (space_id, change_request_id) REFERENCES change_requests (space_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX change_request_contributors_user ON change_request_contributors (user_id);
COMMENT ON TABLE change_request_contributors IS 'Authors of the revisions of a change request.';

CREATE TABLE change_request_reviewers (
    space_id uuid NOT NULL,
    change_request_id uuid NOT NULL,
    reviewer_id uuid NOT NULL,
    is_team boolean NOT NULL,
    requested_by uuid,
    revision_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, change_request_id, reviewer_id),
    FOREIGN KEY (requested_by) REFERENCES users (id) ON DELETE SET NULL,
    FOREIGN KEY (space_id, change_request_id) REFERENCES change_requests (space_id, id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, revision_id) REFERENCES revisions (space_id, id) DEFERRABLE INITIALLY DEFERRED
);

CREATE INDEX change_request_reviewers_requester ON change_request_reviewers (requested_by);
CREATE INDEX change_request_reviewers_revision ON change_request_reviewers (space_id, revision_id);
COMMENT ON TABLE change_request_reviewers IS 'Users and teams whose review is requested.';
COMMENT ON COLUMN change_request_reviewers.reviewer_id IS
    'Member or team of the organization of the space. Former members and deleted teams are not shown.';

CREATE TABLE change_request_reviews (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    change_request_id uuid NOT NULL,
    reviewer_id uuid,
    requested_by uuid,
    revision_id uuid NOT NULL,
    status text NOT NULL CHECK (status IN ('approved', 'changes-requested')),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, id),
    FOREIGN KEY (requested_by) REFERENCES users (id) ON DELETE SET NULL,
    FOREIGN KEY (reviewer_id) REFERENCES users (id) ON DELETE SET NULL,
    FOREIGN KEY (space_id, change_request_id) REFERENCES change_requests (space_id, id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, revision_id) REFERENCES revisions (space_id, id) DEFERRABLE INITIALLY DEFERRED
);

CREATE INDEX change_request_reviews_listing ON change_request_reviews (space_id, change_request_id, id);
CREATE INDEX change_request_reviews_requester ON change_request_reviews (requested_by);
CREATE INDEX change_request_reviews_reviewer ON change_request_reviews (reviewer_id);
CREATE INDEX change_request_reviews_revision ON change_request_reviews (space_id, revision_id);
COMMENT ON TABLE change_request_reviews IS 'Reviews of a change request.';
COMMENT ON COLUMN change_request_reviews.revision_id IS
    'Head of the change request that was reviewed. The review is outdated when the head is another one.';

CREATE TABLE comments (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    change_request_id uuid,
    posted_by uuid,
    posted_at timestamptz NOT NULL,
    edited_at timestamptz,
    markdown text NOT NULL,
    document bytea NOT NULL,
    target_revision uuid NOT NULL,
    target_page uuid,
    target_page_record jsonb,
    target_document bytea,
    target_node text,
    target_node_preview text,
    status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved')),
    resolved_at timestamptz,
    resolved_by uuid,
    replies integer NOT NULL DEFAULT 0 CHECK (replies >= 0),
    review_id uuid,
    CHECK ((status = 'resolved') = (resolved_at IS NOT NULL)),
    CHECK (target_node IS NULL OR target_page IS NOT NULL),
    PRIMARY KEY (space_id, id),
    FOREIGN KEY (posted_by) REFERENCES users (id) ON DELETE SET NULL,
    FOREIGN KEY (resolved_by) REFERENCES users (id) ON DELETE SET NULL,
    FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, review_id) REFERENCES change_request_reviews (space_id, id) ON DELETE CASCADE
);

CREATE INDEX comments_author ON comments (posted_by, space_id, change_request_id, id);
CREATE INDEX comments_listing ON comments (space_id, change_request_id, id);
CREATE INDEX comments_page
    ON comments (space_id, change_request_id, target_page, id) WHERE target_page IS NOT NULL;
CREATE INDEX comments_resolver ON comments (resolved_by) WHERE resolved_by IS NOT NULL;
CREATE UNIQUE INDEX comments_review ON comments (space_id, review_id) WHERE review_id IS NOT NULL;
CREATE INDEX comments_status ON comments (space_id, change_request_id, status, id);
COMMENT ON TABLE comments IS 'Comments on a space or on a change request.';
COMMENT ON COLUMN comments.document IS 'Text as canonical JSON.';
COMMENT ON COLUMN comments.target_page_record IS
    'Title, path and icons of the page when the comment was posted. They are shown after the page was '
    'deleted.';
COMMENT ON COLUMN comments.target_document IS
    'Document of the page when the comment was posted. The comment is outdated when the page has another '
    'one.';
COMMENT ON COLUMN comments.review_id IS 'Review that was submitted with the comment.';

CREATE TABLE comment_replies (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    comment_id uuid NOT NULL,
    posted_by uuid,
    posted_at timestamptz NOT NULL,
    edited_at timestamptz,
    markdown text NOT NULL,
    document bytea NOT NULL,
    PRIMARY KEY (space_id, id),
    FOREIGN KEY (posted_by) REFERENCES users (id) ON DELETE SET NULL,
    FOREIGN KEY (space_id, comment_id) REFERENCES comments (space_id, id) ON DELETE CASCADE
);

CREATE INDEX comment_replies_author ON comment_replies (posted_by);
CREATE INDEX comment_replies_listing ON comment_replies (space_id, comment_id, id);
COMMENT ON TABLE comment_replies IS 'Replies to comments.';
COMMENT ON COLUMN comment_replies.document IS 'Text as canonical JSON.';

CREATE TABLE comment_reactions (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    comment_id uuid NOT NULL,
    reply_id uuid,
    user_id uuid NOT NULL,
    emoji text NOT NULL CHECK (char_length(emoji) BETWEEN 1 AND 50),
    reacted_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, id),
    FOREIGN KEY (space_id, comment_id) REFERENCES comments (space_id, id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, reply_id) REFERENCES comment_replies (space_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX comment_reactions_once
    ON comment_reactions (space_id, comment_id, coalesce(reply_id, comment_id), emoji, user_id);
CREATE INDEX comment_reactions_reply ON comment_reactions (space_id, reply_id) WHERE reply_id IS NOT NULL;
CREATE INDEX comment_reactions_user ON comment_reactions (user_id);
COMMENT ON TABLE comment_reactions IS 'Emoji reactions to comments and replies.';
COMMENT ON COLUMN comment_reactions.reply_id IS 'Reply that the reaction is for; null: the comment.';
