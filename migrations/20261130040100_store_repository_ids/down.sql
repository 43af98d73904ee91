ALTER TABLE git_installations DROP COLUMN repository_id;
