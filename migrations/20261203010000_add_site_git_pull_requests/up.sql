ALTER TABLE site_git_operations ADD COLUMN pull_request text;
COMMENT ON COLUMN site_git_operations.pull_request IS
    'URL of the pull request that the commit waits in, or of the page to open it; null: it is on the branch.';
