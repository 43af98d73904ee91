ALTER TABLE site_git_installations DROP COLUMN authority;
ALTER TABLE git_installations DROP COLUMN authority;
