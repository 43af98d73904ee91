ALTER TABLE site_git_installations DROP COLUMN agent_instructions;
ALTER TABLE site_git_installations DROP COLUMN app_installation_id;
