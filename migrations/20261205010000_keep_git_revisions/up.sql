-- Merge base of the first import from another branch, folder or repository of a connection.

ALTER TABLE git_syncs DROP CONSTRAINT git_syncs_check1;
-- A row for each space that is connected or was imported from Git.
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE git_syncs ADD CONSTRAINT git_syncs_check1 CHECK (commit_id IS NULL OR revision_id IS NOT NULL);

COMMENT ON COLUMN git_syncs.revision_id IS
    'Revision that was the same as that commit, or as a commit of the former branch; null: none.';
