ALTER TABLE site_git_installations DROP COLUMN structure;
