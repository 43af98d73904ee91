-- What people say of change requests, and whom they are asked of.

CREATE TABLE change_request_reviews (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    change_request_id uuid NOT NULL,
    reviewer_id uuid REFERENCES users (id) ON DELETE SET NULL,
    requested_by uuid REFERENCES users (id) ON DELETE SET NULL,
    revision_id uuid NOT NULL,
    status text NOT NULL CHECK (status IN ('approved', 'changes-requested')),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, id),
    FOREIGN KEY (space_id, change_request_id) REFERENCES change_requests (space_id, id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, revision_id) REFERENCES revisions (space_id, id) ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX change_request_reviews_listing ON change_request_reviews (space_id, change_request_id, id);
CREATE INDEX change_request_reviews_revision ON change_request_reviews (space_id, revision_id);
CREATE INDEX change_request_reviews_reviewer ON change_request_reviews (reviewer_id);
CREATE INDEX change_request_reviews_requester ON change_request_reviews (requested_by);
COMMENT ON COLUMN change_request_reviews.revision_id IS 'The change request''s head that was reviewed: the review is outdated once there is another.';

-- A user or a team that was asked for a review. It stays until somebody takes it back.
CREATE TABLE change_request_reviewers (
    space_id uuid NOT NULL,
    change_request_id uuid NOT NULL,
    reviewer_id uuid NOT NULL,
    is_team boolean NOT NULL,
    requested_by uuid REFERENCES users (id) ON DELETE SET NULL,
    revision_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, change_request_id, reviewer_id),
    FOREIGN KEY (space_id, change_request_id) REFERENCES change_requests (space_id, id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, revision_id) REFERENCES revisions (space_id, id) ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX change_request_reviewers_revision ON change_request_reviewers (space_id, revision_id);
CREATE INDEX change_request_reviewers_requester ON change_request_reviewers (requested_by);
COMMENT ON COLUMN change_request_reviewers.reviewer_id IS 'A member or a team of the space''s organization; who is no longer either is not shown.';

ALTER TABLE comments ADD COLUMN review_id uuid;
ALTER TABLE comments ADD FOREIGN KEY (space_id, review_id) REFERENCES change_request_reviews (space_id, id) ON DELETE CASCADE;
CREATE UNIQUE INDEX comments_review ON comments (space_id, review_id) WHERE review_id IS NOT NULL;
COMMENT ON COLUMN comments.review_id IS 'The review that it came with.';

-- All change requests of an organization, newest first.
CREATE INDEX change_requests_status ON change_requests (status, id DESC);
