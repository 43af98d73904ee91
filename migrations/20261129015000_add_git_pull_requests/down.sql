ALTER TABLE git_operations DROP COLUMN pull_request;
