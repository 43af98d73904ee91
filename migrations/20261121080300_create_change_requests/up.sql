CREATE TABLE change_requests (
    space_id uuid NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    number integer NOT NULL CHECK (number > 0),
    status text NOT NULL CHECK (status IN ('draft', 'open', 'archived', 'merged')),
    subject text NOT NULL CHECK (char_length(subject) <= 100),
    created_by uuid REFERENCES users (id) ON DELETE SET NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    head_revision uuid NOT NULL,
    revision_initial uuid NOT NULL,
    revision_merged_ancestor uuid,
    revision_merged uuid,
    comments_open integer NOT NULL DEFAULT 0 CHECK (comments_open >= 0),
    PRIMARY KEY (space_id, id),
    UNIQUE (space_id, number),
    FOREIGN KEY (space_id, head_revision) REFERENCES revisions (space_id, id) ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (space_id, revision_initial) REFERENCES revisions (space_id, id) ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (space_id, revision_merged_ancestor) REFERENCES revisions (space_id, id) ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (space_id, revision_merged) REFERENCES revisions (space_id, id) ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED,
    CHECK ((status = 'merged') = (revision_merged IS NOT NULL))
);
CREATE INDEX change_requests_listing ON change_requests (space_id, status, number DESC);
CREATE INDEX change_requests_author ON change_requests (created_by);
CREATE INDEX change_requests_head ON change_requests (space_id, head_revision);
CREATE INDEX change_requests_initial ON change_requests (space_id, revision_initial);
CREATE INDEX change_requests_merged_ancestor ON change_requests (space_id, revision_merged_ancestor);
CREATE INDEX change_requests_merged ON change_requests (space_id, revision_merged);
COMMENT ON COLUMN change_requests.revision_merged_ancestor IS 'The space''s revision last pulled into the change request; null until the first update.';

-- Who wrote into a change request, its author included.
CREATE TABLE change_request_contributors (
    space_id uuid NOT NULL,
    change_request_id uuid NOT NULL,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    revisions integer NOT NULL DEFAULT 0,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, change_request_id, user_id),
    FOREIGN KEY (space_id, change_request_id) REFERENCES change_requests (space_id, id) ON DELETE CASCADE
);
CREATE INDEX change_request_contributors_user ON change_request_contributors (user_id);

ALTER TABLE revisions
    ADD FOREIGN KEY (space_id, change_request_id) REFERENCES change_requests (space_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    ADD FOREIGN KEY (space_id, merged_from) REFERENCES change_requests (space_id, id) ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX revisions_merged_from ON revisions (space_id, merged_from) WHERE merged_from IS NOT NULL;
