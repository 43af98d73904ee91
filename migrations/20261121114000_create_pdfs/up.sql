-- PDFs that were asked for. Each is kept for as long as the addresses that were given for it hold.
CREATE TABLE pdfs (
    space_id uuid NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    revision_id uuid NOT NULL,
    page_id uuid,
    only_page boolean NOT NULL,
    title text NOT NULL,
    subtitle text,
    shows bytea NOT NULL CHECK (octet_length(shows) = 32),
    state text NOT NULL CHECK (state IN ('waiting', 'ready', 'failed', 'not-installed')),
    blob bytea CHECK (octet_length(blob) = 32),
    size bigint CHECK (size >= 0),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, id),
    UNIQUE (space_id, shows),
    FOREIGN KEY (space_id, revision_id) REFERENCES revisions (space_id, id) ON DELETE CASCADE,
    CHECK ((state = 'ready') = (blob IS NOT NULL) AND (blob IS NULL) = (size IS NULL))
);
CREATE INDEX pdfs_revision ON pdfs (space_id, revision_id);
CREATE INDEX pdfs_blob ON pdfs (space_id, blob);
COMMENT ON COLUMN pdfs.page_id IS 'The page that it begins with; all pages without one.';
COMMENT ON COLUMN pdfs.shows IS 'The hash of all that it shows: who asks for the same gets the same.';
COMMENT ON COLUMN pdfs.blob IS 'Its bytes, in the object store as those of files.';
