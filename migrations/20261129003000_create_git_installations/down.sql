UPDATE git_syncs SET provider = 'git' WHERE provider = 'gitea';
ALTER TABLE git_syncs DROP CONSTRAINT git_syncs_provider_check;
ALTER TABLE git_syncs ADD CONSTRAINT git_syncs_provider_check CHECK (provider IN ('github', 'gitlab', 'git'));
ALTER TABLE git_syncs DROP COLUMN by_installation;
DROP TABLE git_operations;
DROP TABLE git_installations;
