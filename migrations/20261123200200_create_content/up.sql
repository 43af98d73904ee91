-- Content of spaces. Documents, nodes of trees and revisions are immutable and named by their hashes or ids;
-- every key begins with the space.

CREATE TABLE blobs (
    space_id uuid NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    size bigint NOT NULL CHECK (size >= 0),
    created_at timestamptz NOT NULL,
    stored_in uuid NOT NULL,
    PRIMARY KEY (space_id, hash),
    FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE
);

CREATE INDEX blobs_stored ON blobs (stored_in, hash);
COMMENT ON TABLE blobs IS
    'Bytes of files that the content of a space names; the bytes are in the object store.';
COMMENT ON COLUMN blobs.stored_in IS
    'Space under whose id the bytes are in the store. It may be deleted itself.';

CREATE TABLE documents (
    space_id uuid NOT NULL,
    id bytea NOT NULL CHECK (octet_length(id) = 32),
    body bytea NOT NULL,
    anchors jsonb,
    links jsonb NOT NULL,
    PRIMARY KEY (space_id, id),
    FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE
);

ALTER TABLE documents ALTER COLUMN body SET COMPRESSION lz4;
ALTER TABLE documents ALTER COLUMN links SET COMPRESSION lz4;
COMMENT ON TABLE documents IS 'Documents: the bodies of pages and reusable contents. Immutable.';
COMMENT ON COLUMN documents.body IS 'Canonical JSON, whose SHA-256 is the id.';
COMMENT ON COLUMN documents.anchors IS 'Anchors of the headings, an array of texts.';
COMMENT ON COLUMN documents.links IS
    'Links in the order of the document: objects with reference, dependsOn and node.';

CREATE TABLE tree_nodes (
    space_id uuid NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    body bytea NOT NULL,
    PRIMARY KEY (space_id, hash),
    FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE
);

ALTER TABLE tree_nodes ALTER COLUMN body SET COMPRESSION lz4;
COMMENT ON TABLE tree_nodes IS 'Nodes of the Merkle trees of pages, files and reusable contents. Immutable.';

CREATE TABLE revisions (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL CHECK (type IN ('edits', 'merge', 'rollback', 'update', 'computed')),
    parents uuid[] NOT NULL,
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    change_request_id uuid,
    merged_from uuid,
    author_id uuid,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, id),
    FOREIGN KEY (author_id) REFERENCES users (id) ON DELETE SET NULL,
    FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE
);

CREATE INDEX revisions_author ON revisions (author_id);
CREATE INDEX revisions_change_request
    ON revisions (space_id, change_request_id, author_id) WHERE change_request_id IS NOT NULL;
CREATE INDEX revisions_merged_from ON revisions (space_id, merged_from) WHERE merged_from IS NOT NULL;
COMMENT ON TABLE revisions IS 'Revisions of the main content and of change requests. Immutable.';
COMMENT ON COLUMN revisions.parents IS 'Parents in order; a merge has the main content first.';
COMMENT ON COLUMN revisions.change_request_id IS
    'Change request whose working copy the revision belongs to; null: main content.';

ALTER TABLE spaces
    ADD FOREIGN KEY (id, head_revision) REFERENCES revisions (space_id, id) DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE former_places (
    space_id uuid NOT NULL,
    parent_id uuid NOT NULL,
    slug text NOT NULL CHECK (char_length(slug) BETWEEN 1 AND 100),
    page_id uuid NOT NULL,
    PRIMARY KEY (space_id, parent_id, slug),
    FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE
);

COMMENT ON TABLE former_places IS 'Places that pages of the main content left when they were moved or renamed.';
COMMENT ON COLUMN former_places.parent_id IS 'Parent page; the nil UUID for the top level.';
COMMENT ON COLUMN former_places.page_id IS 'Last page that left the place, which may be gone since.';

CREATE TABLE custom_field_changes (
    space_id uuid NOT NULL,
    revision_id uuid NOT NULL,
    name text NOT NULL,
    before jsonb,
    after jsonb,
    PRIMARY KEY (space_id, revision_id, name),
    FOREIGN KEY (space_id, revision_id) REFERENCES revisions (space_id, id) ON DELETE CASCADE
);

COMMENT ON TABLE custom_field_changes IS 'Changes of custom field values, by the revision that was the head.';
COMMENT ON COLUMN custom_field_changes.before IS 'Value when the revision became the head; null: unset.';
COMMENT ON COLUMN custom_field_changes.after IS 'Value after the last change under that head; null: unset.';
