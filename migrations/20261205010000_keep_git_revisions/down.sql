COMMENT ON COLUMN git_syncs.revision_id IS 'Revision that was the same as that commit.';

UPDATE git_syncs SET revision_id = NULL WHERE commit_id IS NULL;
ALTER TABLE git_syncs DROP CONSTRAINT git_syncs_check1;
ALTER TABLE git_syncs ADD CONSTRAINT git_syncs_check1 CHECK ((commit_id IS NULL) = (revision_id IS NULL));
