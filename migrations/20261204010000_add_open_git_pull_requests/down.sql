ALTER TABLE site_git_installations DROP COLUMN pull_request;
ALTER TABLE git_installations DROP COLUMN pull_request;
