-- The queue, and what workers do: imports, PDFs and webhooks. The audit log.

CREATE TABLE jobs (
    id uuid PRIMARY KEY,
    kind text NOT NULL,
    payload jsonb NOT NULL,
    key text UNIQUE,
    run_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    leased_until timestamptz,
    last_error text,
    given_up_at timestamptz,
    created_at timestamptz NOT NULL,
    taken integer NOT NULL DEFAULT 0
);

CREATE INDEX jobs_due ON jobs (run_at, id) WHERE given_up_at IS NULL;
COMMENT ON TABLE jobs IS 'The queue of background jobs.';
COMMENT ON COLUMN jobs.key IS 'At most one waiting job has a key.';
COMMENT ON COLUMN jobs.given_up_at IS 'Time of the last failure of a job that is not run again.';
COMMENT ON COLUMN jobs.taken IS 'Number of attempts begun. Only the last one can end the job.';

CREATE TABLE imports (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    change_request_id uuid,
    page_id uuid,
    source text NOT NULL,
    url text,
    file_name text,
    upload_size bigint CHECK (upload_size >= 0),
    expected uuid[],
    request jsonb,
    created_by uuid,
    token_id uuid,
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
    CHECK ((url IS NULL) <> (upload_size IS NULL)),
    CHECK ((status IN ('pending', 'running')) = (finished_at IS NULL)),
    CHECK ((status = 'succeeded') = (result IS NOT NULL)),
    CHECK ((status = 'failed') = (error IS NOT NULL)),
    PRIMARY KEY (space_id, id),
    FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL,
    FOREIGN KEY (space_id, change_request_id) REFERENCES change_requests (space_id, id) ON DELETE CASCADE,
    FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE,
    FOREIGN KEY (token_id) REFERENCES api_tokens (id) ON DELETE SET NULL
);

CREATE INDEX imports_change_request ON imports (space_id, change_request_id);
CREATE INDEX imports_created_by ON imports (created_by);
CREATE INDEX imports_finished ON imports (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX imports_token ON imports (token_id);
CREATE INDEX imports_unfinished ON imports (space_id, created_at) WHERE finished_at IS NULL;
COMMENT ON TABLE imports IS 'Imports, running and ended.';
COMMENT ON COLUMN imports.upload_size IS
    'Bytes of the upload, which is kept in the object store until the import ends.';
COMMENT ON COLUMN imports.expected IS
    'Revisions that the caller has seen, one of which must be the head; null: any.';
COMMENT ON COLUMN imports.request IS 'Request, for the entry of the audit log when the import ends.';
COMMENT ON COLUMN imports.token_id IS 'Token that started the import, with whose rights it runs.';
COMMENT ON COLUMN imports.run IS
    'Id of the current attempt. An earlier attempt, whose worker was lost, no longer changes anything.';
COMMENT ON COLUMN imports.result IS 'Not jsonb, which rejects some characters of file names.';

CREATE TABLE pdfs (
    space_id uuid NOT NULL,
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
    only_shown_specs boolean NOT NULL,
    CHECK ((state = 'ready') = (blob IS NOT NULL) AND (blob IS NULL) = (size IS NULL)),
    PRIMARY KEY (space_id, id),
    UNIQUE (space_id, shows),
    FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, revision_id) REFERENCES revisions (space_id, id) ON DELETE CASCADE
);

CREATE INDEX pdfs_blob ON pdfs (space_id, blob);
CREATE INDEX pdfs_revision ON pdfs (space_id, revision_id);
COMMENT ON TABLE pdfs IS 'PDFs of spaces and pages, ordered and made.';
COMMENT ON COLUMN pdfs.page_id IS 'First page; null: all pages.';
COMMENT ON COLUMN pdfs.shows IS 'Hash of everything that the PDF shows. Equal requests share a PDF.';
COMMENT ON COLUMN pdfs.blob IS 'SHA-256 of the bytes, which are in the object store.';
COMMENT ON COLUMN pdfs.only_shown_specs IS
    'Limits the PDF to the OpenAPI specifications that the current content of the space shows.';

CREATE TABLE webhooks (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    url text NOT NULL,
    description text,
    events text[] NOT NULL,
    active boolean NOT NULL,
    secret_version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    leased_until timestamptz,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

COMMENT ON TABLE webhooks IS 'Webhooks of an organization.';
COMMENT ON COLUMN webhooks.secret_version IS
    'Version of the secret, which derives from the key of the deployment, the id and this number.';
COMMENT ON COLUMN webhooks.leased_until IS
    'End of the lease of the node that delivers. One node delivers to a webhook at a time.';

CREATE TABLE webhook_deliveries (
    organization_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    payload jsonb NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'succeeded', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    tries_left integer NOT NULL,
    next_attempt_at timestamptz NOT NULL,
    last_attempt_at timestamptz,
    last_status integer,
    last_error text,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, webhook_id, id),
    FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX webhook_deliveries_due
    ON webhook_deliveries (organization_id, webhook_id, next_attempt_at) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (created_at) WHERE state <> 'pending';
COMMENT ON TABLE webhook_deliveries IS 'Events and their delivery to each webhook.';
COMMENT ON COLUMN webhook_deliveries.id IS 'Id of the event, which is the same for each webhook.';

CREATE TABLE audit_entries (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    actor_id uuid,
    token_id uuid,
    operation text NOT NULL,
    method text,
    path text,
    space_id uuid,
    address inet,
    request_id text,
    created_at timestamptz NOT NULL,
    target_type text,
    target_id text,
    actor_type text NOT NULL CHECK (actor_type IN ('user', 'system')),
    outcome text NOT NULL CHECK (outcome IN ('done', 'refused')),
    CONSTRAINT audit_entries_request_check
        CHECK (num_nulls(token_id, method, path, request_id) = CASE actor_type WHEN 'user' THEN 0 ELSE 4 END),
    CONSTRAINT audit_entries_target_check CHECK ((target_type IS NULL) = (target_id IS NULL)),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (actor_id) REFERENCES users (id) ON DELETE SET NULL,
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

CREATE INDEX audit_entries_actor ON audit_entries (actor_id, organization_id, created_at, id);
CREATE INDEX audit_entries_operation ON audit_entries (organization_id, operation, created_at, id);
CREATE UNIQUE INDEX audit_entries_refused
    ON audit_entries (
        organization_id,
        actor_id,
        date_trunc('hour', (created_at AT TIME ZONE 'UTC')),
        operation,
        coalesce(target_id, '')
    )
    WHERE outcome = 'refused';
CREATE INDEX audit_entries_space
    ON audit_entries (organization_id, space_id, created_at, id) WHERE space_id IS NOT NULL;
CREATE INDEX audit_entries_target
    ON audit_entries (organization_id, target_id, created_at, id) WHERE target_id IS NOT NULL;
CREATE INDEX audit_entries_time ON audit_entries (organization_id, created_at, id);
COMMENT ON TABLE audit_entries IS
    'The audit log. Spaces, tokens and targets have no foreign key, because their entries outlive them.';
COMMENT ON COLUMN audit_entries.operation IS
    'Operation id of the API, or the name of a command, such as admin.create-user.';
COMMENT ON COLUMN audit_entries.target_id IS
    'Id of the target; a slug or a name if the target has no other id.';
COMMENT ON COLUMN audit_entries.actor_type IS
    'A system has no user: commands that run on the data directory may do everything.';
