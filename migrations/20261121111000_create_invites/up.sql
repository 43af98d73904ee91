-- Links by which people join an organization, or get access to one of its spaces or collections.

CREATE TABLE organization_invites (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id uuid NOT NULL UNIQUE,
    space_id uuid,
    collection_id uuid,
    role smallint CHECK (role BETWEEN 1 AND 6),
    created_by uuid REFERENCES users (id) ON DELETE SET NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    CHECK (num_nonnulls(space_id, collection_id) <= 1),
    FOREIGN KEY (organization_id, space_id) REFERENCES spaces (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, collection_id) REFERENCES collections (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX organization_invites_space ON organization_invites (organization_id, space_id);
CREATE INDEX organization_invites_collection ON organization_invites (organization_id, collection_id);
CREATE INDEX organization_invites_author ON organization_invites (created_by);
COMMENT ON COLUMN organization_invites.role IS 'Rank of what who accepts gets: on the space or collection, or as a member; null for a guest.';
