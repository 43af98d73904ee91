-- Collections and spaces, the grants on both, and the values of custom fields.

CREATE TABLE collections (
    organization_id uuid NOT NULL,
    id uuid NOT NULL UNIQUE,
    parent_id uuid,
    path uuid[] NOT NULL,
    title text NOT NULL CHECK (char_length(title) <= 50),
    description text CHECK (char_length(description) <= 100),
    default_level smallint CHECK (default_level BETWEEN 1 AND 6),
    position text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK (path[array_upper(path, 1)] = id),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, parent_id) REFERENCES collections (organization_id, id) ON DELETE RESTRICT
);

CREATE INDEX collections_order
    ON collections (
        organization_id,
        coalesce(parent_id, '00000000-0000-0000-0000-000000000000'),
        position,
        id
    );
CREATE INDEX collections_parent ON collections (organization_id, parent_id, position, id);
COMMENT ON TABLE collections IS 'Collections: folders of spaces and of other collections.';
COMMENT ON COLUMN collections.path IS
    'Ids of the collection and of all above it, from the root down. Grants are inherited along it without '
    'recursion.';

CREATE TABLE spaces (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    collection_id uuid,
    title text NOT NULL CHECK (char_length(title) <= 50),
    emoji text NOT NULL CHECK (char_length(emoji) <= 50),
    edit_mode text NOT NULL DEFAULT 'live' CHECK (edit_mode IN ('live', 'locked')),
    default_level smallint CHECK (default_level BETWEEN 1 AND 6),
    position text COLLATE "C" NOT NULL,
    head_revision uuid NOT NULL,
    comments_open integer NOT NULL DEFAULT 0 CHECK (comments_open >= 0),
    change_requests integer NOT NULL DEFAULT 0 CHECK (change_requests >= 0),
    change_requests_open integer NOT NULL DEFAULT 0 CHECK (change_requests_open >= 0),
    change_requests_draft integer NOT NULL DEFAULT 0 CHECK (change_requests_draft >= 0),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz,
    site_visibility text CHECK (site_visibility IN ('public', 'unlisted', 'share-link', 'visitor-auth')),
    site_address text,
    icon text CHECK (char_length(icon) BETWEEN 1 AND 2048),
    language text CHECK (char_length(language) BETWEEN 2 AND 5),
    CONSTRAINT spaces_site_check CHECK ((site_visibility IS NULL) = (site_address IS NULL)),
    UNIQUE (organization_id, id),
    FOREIGN KEY (organization_id, collection_id)
        REFERENCES collections (organization_id, id) ON DELETE RESTRICT,
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
) WITH (fillfactor=70);

CREATE INDEX spaces_deleted ON spaces (deleted_at, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX spaces_order
    ON spaces (
        organization_id,
        coalesce(collection_id, '00000000-0000-0000-0000-000000000000'),
        position,
        id
    );
CREATE INDEX spaces_place ON spaces (organization_id, collection_id, position, id);
COMMENT ON TABLE spaces IS 'Spaces, with the head of their main content and their counters.';
COMMENT ON COLUMN spaces.default_level IS
    'Rank of the role that members have without a grant; null: access by grant only.';
COMMENT ON COLUMN spaces.change_requests IS
    'Number of change requests ever made, which is also the last number given.';
COMMENT ON COLUMN spaces.site_visibility IS
    'Visibility of the most open published site that shows the space.';
COMMENT ON COLUMN spaces.site_address IS
    'URL at which that site shows the space, or a path below the URL of the deployment.';
COMMENT ON COLUMN spaces.icon IS 'URL of an image.';
COMMENT ON COLUMN spaces.language IS 'Code of the language of the content; null: not set.';

CREATE TABLE content_grants (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    space_id uuid,
    collection_id uuid,
    user_id uuid,
    team_id uuid,
    role smallint NOT NULL CHECK (role BETWEEN 1 AND 6),
    created_at timestamptz NOT NULL,
    CHECK (num_nonnulls(space_id, collection_id) = 1),
    CHECK (num_nonnulls(user_id, team_id) = 1),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, collection_id)
        REFERENCES collections (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, space_id) REFERENCES spaces (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, user_id)
        REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX content_grants_collection
    ON content_grants (organization_id, collection_id, coalesce(user_id, team_id))
    WHERE collection_id IS NOT NULL;
CREATE UNIQUE INDEX content_grants_space
    ON content_grants (organization_id, space_id, coalesce(user_id, team_id)) WHERE space_id IS NOT NULL;
CREATE INDEX content_grants_team ON content_grants (organization_id, team_id);
CREATE INDEX content_grants_user ON content_grants (organization_id, user_id);
COMMENT ON TABLE content_grants IS 'Roles that users and teams have on a space or a collection.';

CREATE TABLE organization_invites (
    organization_id uuid NOT NULL,
    id uuid NOT NULL UNIQUE,
    space_id uuid,
    collection_id uuid,
    role smallint CHECK (role BETWEEN 1 AND 6),
    created_by uuid,
    created_at timestamptz NOT NULL,
    seed uuid NOT NULL,
    CHECK (num_nonnulls(space_id, collection_id) <= 1),
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, seed),
    FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL,
    FOREIGN KEY (organization_id, collection_id)
        REFERENCES collections (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, space_id) REFERENCES spaces (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX organization_invites_author ON organization_invites (created_by);
CREATE INDEX organization_invites_collection ON organization_invites (organization_id, collection_id);
CREATE INDEX organization_invites_space ON organization_invites (organization_id, space_id);
COMMENT ON TABLE organization_invites IS 'Invite links to an organization, a space or a collection.';
COMMENT ON COLUMN organization_invites.id IS 'First 16 bytes of the SHA-256 of the id in the link.';
COMMENT ON COLUMN organization_invites.role IS
    'Rank of the role on the space or collection, or in the organization; null: guest.';
COMMENT ON COLUMN organization_invites.seed IS 'Seed of the id in the link, ordered by time.';

CREATE TABLE custom_field_values (
    organization_id uuid NOT NULL,
    space_id uuid NOT NULL,
    custom_field_id uuid NOT NULL,
    value jsonb NOT NULL,
    PRIMARY KEY (organization_id, space_id, custom_field_id),
    FOREIGN KEY (organization_id, custom_field_id)
        REFERENCES custom_fields (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, space_id) REFERENCES spaces (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX custom_field_values_field ON custom_field_values (organization_id, custom_field_id);
COMMENT ON TABLE custom_field_values IS 'Values of custom fields of spaces.';
