-- Imports from and exports to Git repositories.

CREATE TABLE git_syncs (
    space_id uuid PRIMARY KEY,
    run uuid NOT NULL,
    direction text NOT NULL CHECK (direction IN ('import', 'export')),
    state text NOT NULL CHECK (state IN ('running', 'success', 'failure')),
    url text NOT NULL,
    reference text,
    project_directory text NOT NULL,
    provider text NOT NULL CHECK (provider IN ('github', 'gitlab', 'git')),
    tree_url text,
    commit_id text,
    revision_id uuid,
    error text,
    unauthenticated boolean NOT NULL DEFAULT false,
    started_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    CHECK ((state = 'running') = (ended_at IS NULL)),
    CHECK ((commit_id IS NULL) = (revision_id IS NULL)),
    FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, revision_id) REFERENCES revisions (space_id, id) ON DELETE CASCADE
);

CREATE INDEX git_syncs_revision ON git_syncs (space_id, revision_id);
COMMENT ON TABLE git_syncs IS 'Last import or export between a space and a Git repository.';
COMMENT ON COLUMN git_syncs.run IS 'Id of the run. A run that was replaced by a newer one cannot end it.';
COMMENT ON COLUMN git_syncs.url IS 'URL of the repository, without credentials.';
COMMENT ON COLUMN git_syncs.reference IS 'Full name of the branch or tag as requested; null: the branch of HEAD.';
COMMENT ON COLUMN git_syncs.project_directory IS 'Folder of the content in the repository; empty: all of it.';
COMMENT ON COLUMN git_syncs.tree_url IS 'URL of the files for people.';
COMMENT ON COLUMN git_syncs.commit_id IS 'Commit that the content was last the same as; null: none.';
COMMENT ON COLUMN git_syncs.revision_id IS 'Revision that was the same as that commit.';
COMMENT ON COLUMN git_syncs.unauthenticated IS 'The server did not accept the credentials of the run.';
COMMENT ON COLUMN git_syncs.expires_at IS 'Time at which a running run counts as lost with its node.';
