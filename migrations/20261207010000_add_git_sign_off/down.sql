ALTER TABLE site_git_installations DROP COLUMN sign_off;
ALTER TABLE git_installations DROP COLUMN sign_off;
