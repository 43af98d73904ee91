ALTER TABLE git_operations DROP COLUMN notes;
