-- Revisions that saves amend, and the content that only these revisions refer to.
ALTER TABLE revisions
    ADD COLUMN begun_at timestamptz,
    ADD COLUMN replaced_at timestamptz;
COMMENT ON COLUMN revisions.begun_at IS
    'Time of the first of the saves that amended the revision; null: none did, or its content was kept for good.';
COMMENT ON COLUMN revisions.replaced_at IS
    'Time at which a save replaced the revision. It is removed an hour later; null: it is part of the history.';

ALTER TABLE documents ADD COLUMN amended_by uuid;
COMMENT ON COLUMN documents.amended_by IS
    'Change request whose amended revisions alone refer to the document; null: anything may refer to it.';
ALTER TABLE tree_nodes ADD COLUMN amended_by uuid;
COMMENT ON COLUMN tree_nodes.amended_by IS
    'Change request whose amended revisions alone refer to the node; null: anything may refer to it.';
