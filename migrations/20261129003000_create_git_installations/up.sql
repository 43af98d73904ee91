-- Connections of spaces to Git repositories, and the log of their synchronizations.

CREATE TABLE git_installations (
    space_id uuid PRIMARY KEY,
    id uuid NOT NULL,
    provider text NOT NULL CHECK (provider IN ('github', 'gitlab', 'gitea', 'git')),
    url text CHECK (char_length(url) <= 2048),
    username text CHECK (char_length(username) BETWEEN 1 AND 255),
    secret bytea,
    reference text CHECK (char_length(reference) <= 255),
    project_directory text NOT NULL DEFAULT '' CHECK (char_length(project_directory) <= 1025),
    commit_message_template text CHECK (char_length(commit_message_template) BETWEEN 1 AND 1000),
    priority text CHECK (priority IN ('git', 'gitbook')),
    token_id uuid,
    created_by uuid,
    trigger text NOT NULL CHECK (trigger IN ('setup', 'request', 'poll')),
    failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    next_run_at timestamptz,
    changed_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE (id),
    CHECK (url IS NOT NULL OR num_nonnulls(username, secret, reference, priority, next_run_at) = 0),
    FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE,
    FOREIGN KEY (token_id) REFERENCES api_tokens (id) ON DELETE SET NULL,
    FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL
);

CREATE INDEX git_installations_token ON git_installations (token_id);
CREATE INDEX git_installations_created_by ON git_installations (created_by);
CREATE INDEX git_installations_next_run ON git_installations (next_run_at) WHERE next_run_at IS NOT NULL;
COMMENT ON TABLE git_installations IS 'Connections of spaces to Git repositories.';
COMMENT ON COLUMN git_installations.url IS 'URL of the repository, without credentials; null: not set up yet.';
COMMENT ON COLUMN git_installations.username IS 'User name for the server; null: any, as tokens need none.';
COMMENT ON COLUMN git_installations.secret IS
    'Password or token for the server, sealed with the key `git` of the deployment; null: none.';
COMMENT ON COLUMN git_installations.reference IS 'Full name of the branch; null: the branch of HEAD.';
COMMENT ON COLUMN git_installations.project_directory IS
    'Folder of the content in the repository with a slash at its end; empty: all of it.';
COMMENT ON COLUMN git_installations.commit_message_template IS 'Template of messages of commits; null: the default.';
COMMENT ON COLUMN git_installations.priority IS
    'Side that the first synchronization takes the content of; null: not chosen yet.';
COMMENT ON COLUMN git_installations.token_id IS
    'Token of the user who set it up, which synchronizations act with; null: it was revoked.';
COMMENT ON COLUMN git_installations.created_by IS 'User who connected the space; null: the user was removed.';
COMMENT ON COLUMN git_installations.trigger IS 'Cause of the next synchronization.';
COMMENT ON COLUMN git_installations.failures IS 'Failed synchronizations since the last successful one.';
COMMENT ON COLUMN git_installations.next_run_at IS 'Time of the next synchronization; null: none until a change.';
COMMENT ON COLUMN git_installations.changed_at IS 'Time of the last synchronization that changed one of the sides.';

CREATE TABLE git_operations (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    direction text NOT NULL CHECK (direction IN ('import', 'export')),
    trigger text NOT NULL CHECK (trigger IN ('setup', 'request', 'poll')),
    state text NOT NULL CHECK (state IN ('success', 'failure')),
    from_commit text,
    to_commit text,
    revision_id uuid,
    change_request_id uuid,
    error text,
    attempts integer NOT NULL DEFAULT 1 CHECK (attempts >= 1),
    started_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    CHECK ((state = 'failure') = (error IS NOT NULL)),
    PRIMARY KEY (space_id, id),
    FOREIGN KEY (space_id) REFERENCES git_installations (space_id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, revision_id) REFERENCES revisions (space_id, id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, change_request_id) REFERENCES change_requests (space_id, id) ON DELETE CASCADE
);

CREATE INDEX git_operations_revision ON git_operations (space_id, revision_id);
CREATE INDEX git_operations_change_request ON git_operations (space_id, change_request_id);
CREATE INDEX git_operations_ended ON git_operations (ended_at);
COMMENT ON TABLE git_operations IS 'Synchronizations with repositories that changed something or failed.';
COMMENT ON COLUMN git_operations.trigger IS 'Cause of the synchronization.';
COMMENT ON COLUMN git_operations.from_commit IS 'Commit that the content was the same as before; null: none.';
COMMENT ON COLUMN git_operations.to_commit IS 'Commit that was imported or pushed; null: none.';
COMMENT ON COLUMN git_operations.revision_id IS 'Revision that is the same as that commit.';
COMMENT ON COLUMN git_operations.change_request_id IS
    'Change request with edits of pages that the repository had changed, too; null: there were none.';
COMMENT ON COLUMN git_operations.error IS 'Reason of a failure, as a sentence.';
COMMENT ON COLUMN git_operations.attempts IS 'Successive runs with the same failure.';

ALTER TABLE git_syncs ADD COLUMN by_installation boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN git_syncs.by_installation IS
    'The run is a synchronization of the installation, whose lost run the next one replaces.';
ALTER TABLE git_syncs DROP CONSTRAINT git_syncs_provider_check;
-- The table has a row for each space at most, and no release has it.
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE git_syncs ADD CONSTRAINT git_syncs_provider_check
    CHECK (provider IN ('github', 'gitlab', 'gitea', 'git'));
