ALTER TABLE site_git_operations DROP COLUMN pull_request;
