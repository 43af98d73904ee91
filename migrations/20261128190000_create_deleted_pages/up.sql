-- Deleted pages of the main content, so that they are listed without reading all revisions.

CREATE TABLE deleted_pages (
    space_id uuid NOT NULL,
    page_id uuid NOT NULL,
    revision_id uuid NOT NULL,
    title text NOT NULL,
    deleted_at timestamptz NOT NULL,
    deleted_by uuid,
    PRIMARY KEY (space_id, page_id),
    FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE,
    FOREIGN KEY (deleted_by) REFERENCES users (id) ON DELETE SET NULL
);

CREATE INDEX deleted_pages_newest ON deleted_pages (space_id, deleted_at, page_id);
CREATE INDEX deleted_pages_deleted_by ON deleted_pages (deleted_by);

COMMENT ON TABLE deleted_pages IS 'Pages that were deleted from the main content, also those that are back since.';
COMMENT ON COLUMN deleted_pages.revision_id IS 'Last revision of the main content that has the page.';
COMMENT ON COLUMN deleted_pages.title IS 'Title of the page in that revision.';
COMMENT ON COLUMN deleted_pages.deleted_by IS 'Author of the deletion; null: the user is gone.';
