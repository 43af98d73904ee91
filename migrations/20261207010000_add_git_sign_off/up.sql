ALTER TABLE git_installations ADD COLUMN sign_off boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN git_installations.sign_off IS 'Messages of commits end with a Signed-off-by line.';
ALTER TABLE site_git_installations ADD COLUMN sign_off boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN site_git_installations.sign_off IS 'Messages of commits end with a Signed-off-by line.';
