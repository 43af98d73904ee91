ALTER TABLE site_git_installations ADD COLUMN app_installation_id bigint;
COMMENT ON COLUMN site_git_installations.app_installation_id IS
    'Installation of the GitHub App that gives access to the repository; null: the stored secret does.';
ALTER TABLE site_git_installations ADD COLUMN agent_instructions text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN site_git_installations.agent_instructions IS
    'Programs whose files with instructions exports of the spaces write: `agents` and `claude`.';
