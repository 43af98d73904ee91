ALTER TABLE revisions ADD COLUMN git jsonb;
COMMENT ON COLUMN revisions.git IS
    'Commits that a connected repository brought, in the form of answers; null: not imported from one.';
