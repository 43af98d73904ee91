ALTER TABLE git_installations ADD COLUMN app_installation_id bigint;
COMMENT ON COLUMN git_installations.app_installation_id IS
    'Installation of the GitHub App that gives access to the repository; null: the stored secret does.';
ALTER TABLE git_installations ADD COLUMN agent_instructions text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN git_installations.agent_instructions IS
    'Programs whose files with instructions exports write: `agents` and `claude`.';
