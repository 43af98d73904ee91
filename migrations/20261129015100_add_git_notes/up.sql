ALTER TABLE git_operations ADD COLUMN notes text;
COMMENT ON COLUMN git_operations.notes IS 'A sentence for people about files whose bytes are not there; null: none.';
