ALTER TABLE git_installations ADD COLUMN repository_id bigint CHECK (repository_id > 0);
COMMENT ON COLUMN git_installations.repository_id IS
    'Id of the repository at its host; null: it was named by its URL.';
