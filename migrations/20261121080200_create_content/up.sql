-- The content store: immutable documents, tree nodes, revisions and file bytes, all keyed by their space.

CREATE TABLE documents (
    space_id uuid NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    id bytea NOT NULL CHECK (octet_length(id) = 32),
    body bytea NOT NULL,
    PRIMARY KEY (space_id, id)
);
COMMENT ON COLUMN documents.body IS 'Canonical JSON; its SHA-256 is the id.';

CREATE TABLE tree_nodes (
    space_id uuid NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    body bytea NOT NULL,
    PRIMARY KEY (space_id, hash)
);

CREATE TABLE revisions (
    space_id uuid NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    type text NOT NULL CHECK (type IN ('edits', 'merge', 'rollback', 'update', 'computed')),
    parents uuid[] NOT NULL,
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    change_request_id uuid,
    merged_from uuid,
    author_id uuid REFERENCES users (id) ON DELETE SET NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, id)
);
CREATE INDEX revisions_author ON revisions (author_id);
CREATE INDEX revisions_change_request ON revisions (space_id, change_request_id, author_id) WHERE change_request_id IS NOT NULL;
COMMENT ON COLUMN revisions.parents IS 'In order; for a merge the main content first.';
COMMENT ON COLUMN revisions.change_request_id IS 'The change request whose working copy it belongs to; null for main content.';

ALTER TABLE spaces ADD FOREIGN KEY (id, head_revision) REFERENCES revisions (space_id, id) ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX spaces_head ON spaces (id, head_revision);

-- File bytes; the object store keeps them under the space's id and the hash.
CREATE TABLE blobs (
    space_id uuid NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    size bigint NOT NULL CHECK (size >= 0),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (space_id, hash)
);

-- The references of a document, written once when it is stored.
CREATE TABLE document_links (
    space_id uuid NOT NULL,
    document_id bytea NOT NULL,
    ordinal integer NOT NULL,
    reference jsonb NOT NULL,
    relation text NOT NULL CHECK (relation IN ('reference', 'dependsOn')),
    target_kind text NOT NULL,
    target_id uuid,
    node text,
    PRIMARY KEY (space_id, document_id, ordinal),
    FOREIGN KEY (space_id, document_id) REFERENCES documents (space_id, id) ON DELETE CASCADE
);
CREATE INDEX document_links_target ON document_links (space_id, target_kind, target_id) WHERE target_id IS NOT NULL;
