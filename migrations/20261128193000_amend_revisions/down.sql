ALTER TABLE tree_nodes DROP COLUMN amended_by;
ALTER TABLE documents DROP COLUMN amended_by;
ALTER TABLE revisions
    DROP COLUMN replaced_at,
    DROP COLUMN begun_at;
