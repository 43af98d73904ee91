-- Imports that go on after the answer: what was asked for, how far it is, and how it ended.
CREATE TABLE imports (
    space_id uuid NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    change_request_id uuid,
    page_id uuid,
    source text NOT NULL,
    url text,
    file_name text,
    upload_size bigint CHECK (upload_size >= 0),
    expected uuid[],
    request jsonb,
    created_by uuid REFERENCES users (id) ON DELETE SET NULL,
    token_id uuid REFERENCES api_tokens (id) ON DELETE SET NULL,
    status text NOT NULL CHECK (status IN ('pending', 'running', 'succeeded', 'failed', 'cancelled')),
    phase text CHECK (phase IN ('fetching', 'reading', 'planning', 'storing')),
    done bigint NOT NULL DEFAULT 0 CHECK (done >= 0),
    total bigint CHECK (total >= 0),
    run uuid,
    attempts integer NOT NULL DEFAULT 0,
    result json,
    error json,
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    finished_at timestamptz,
    PRIMARY KEY (space_id, id),
    FOREIGN KEY (space_id, change_request_id) REFERENCES change_requests (space_id, id) ON DELETE CASCADE,
    CHECK ((url IS NULL) <> (upload_size IS NULL)),
    CHECK ((status IN ('pending', 'running')) = (finished_at IS NULL)),
    CHECK ((status = 'succeeded') = (result IS NOT NULL)),
    CHECK ((status = 'failed') = (error IS NOT NULL))
);
CREATE INDEX imports_change_request ON imports (space_id, change_request_id);
CREATE INDEX imports_created_by ON imports (created_by);
CREATE INDEX imports_token ON imports (token_id);
CREATE INDEX imports_unfinished ON imports (space_id, created_at) WHERE finished_at IS NULL;
CREATE INDEX imports_finished ON imports (finished_at) WHERE finished_at IS NOT NULL;
COMMENT ON COLUMN imports.upload_size IS 'The bytes of the upload, which is kept beside the files until the import ends.';
COMMENT ON COLUMN imports.expected IS 'The revisions that the caller has seen: the content must be at one of them. Null: at any.';
COMMENT ON COLUMN imports.request IS 'What the audit log says when the import is done.';
COMMENT ON COLUMN imports.token_id IS 'The token that asked: what it may no longer do, the import doesn''t either.';
COMMENT ON COLUMN imports.run IS 'The attempt that works on it: an earlier one, whose worker was thought lost, changes nothing any more.';
COMMENT ON COLUMN imports.result IS 'Not jsonb, which refuses what names of files may hold.';
