-- Revisions that no head ever pointed to, and previews of pull requests, which are such revisions.
ALTER TABLE revisions ADD COLUMN standalone boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN revisions.standalone IS 'It is part of no history: an import that left the main content as it was.';

-- The list of a space's revisions and its count are without them.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX revisions_main;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX revisions_main ON revisions (space_id, id) INCLUDE (type, author_id)
 WHERE change_request_id IS NULL AND NOT standalone;

ALTER TABLE git_installations ADD COLUMN preview_external boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN git_installations.preview_external IS 'Pull requests from other repositories have previews, too.';

CREATE TABLE git_previews (
    space_id uuid NOT NULL,
    number bigint NOT NULL CHECK (number > 0),
    commit_id text NOT NULL,
    title text NOT NULL CHECK (char_length(title) <= 250),
    url text CHECK (char_length(url) <= 2048),
    state text NOT NULL CHECK (state IN ('pending', 'success', 'failure')),
    error text,
    revision_id uuid,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, number),
    CHECK ((state = 'failure') = (error IS NOT NULL)),
    FOREIGN KEY (space_id) REFERENCES git_installations (space_id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, revision_id) REFERENCES revisions (space_id, id) ON DELETE CASCADE
);

CREATE INDEX git_previews_revision ON git_previews (space_id, revision_id);
COMMENT ON TABLE git_previews IS 'Previews of open pull requests of connected repositories.';
COMMENT ON COLUMN git_previews.number IS 'Number of the pull request at its host.';
COMMENT ON COLUMN git_previews.commit_id IS 'Commit that was imported, or is.';
COMMENT ON COLUMN git_previews.url IS 'URL of the pull request for people; null: the host has none.';
COMMENT ON COLUMN git_previews.error IS 'Reason of a failure, as a sentence.';
COMMENT ON COLUMN git_previews.revision_id IS
    'Content of the commit, or of the one before it while its import is pending; null: it was not imported.';
