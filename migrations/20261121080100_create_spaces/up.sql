-- What organizations own: collections and spaces, and who was granted what on them.

CREATE TABLE collections (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    parent_id uuid,
    path uuid[] NOT NULL,
    title text NOT NULL CHECK (char_length(title) <= 50),
    description text CHECK (char_length(description) <= 100),
    default_level smallint CHECK (default_level BETWEEN 1 AND 6),
    position text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (id),
    FOREIGN KEY (organization_id, parent_id) REFERENCES collections (organization_id, id) ON DELETE RESTRICT,
    CHECK (path[array_upper(path, 1)] = id)
);
CREATE INDEX collections_parent ON collections (organization_id, parent_id, position, id);
COMMENT ON COLUMN collections.path IS 'The collection and all above it, from the root down: grants are inherited along it without recursion.';

CREATE TABLE spaces (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
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
    UNIQUE (organization_id, id),
    FOREIGN KEY (organization_id, collection_id) REFERENCES collections (organization_id, id) ON DELETE RESTRICT
);
CREATE INDEX spaces_place ON spaces (organization_id, collection_id, position, id);
CREATE INDEX spaces_listing ON spaces (organization_id, id) WHERE deleted_at IS NULL;
COMMENT ON COLUMN spaces.change_requests IS 'How many there ever were: also the last number given.';
COMMENT ON COLUMN spaces.default_level IS 'Rank of the role that members have without a grant; null: by grant only.';

CREATE TABLE content_grants (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    space_id uuid,
    collection_id uuid,
    user_id uuid,
    team_id uuid,
    role smallint NOT NULL CHECK (role BETWEEN 1 AND 6),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    CHECK (num_nonnulls(space_id, collection_id) = 1),
    CHECK (num_nonnulls(user_id, team_id) = 1),
    FOREIGN KEY (organization_id, space_id) REFERENCES spaces (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, collection_id) REFERENCES collections (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, user_id) REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX content_grants_space ON content_grants (organization_id, space_id, coalesce(user_id, team_id)) WHERE space_id IS NOT NULL;
CREATE UNIQUE INDEX content_grants_collection ON content_grants (organization_id, collection_id, coalesce(user_id, team_id)) WHERE collection_id IS NOT NULL;
CREATE INDEX content_grants_user ON content_grants (organization_id, user_id);
CREATE INDEX content_grants_team ON content_grants (organization_id, team_id);

-- The rank of the role that a member has on a space or collection, null for none: one row. A table, because PostgreSQL plans such a
-- function as a part of the statement that calls it, but runs a scalar one with a subquery apart, at several times the cost. The one place where grants, inheritance and
-- the default level meet in SQL; quire-domain's `effective_role` is its twin, and a test holds them together.
CREATE FUNCTION effective_role(
    member_role smallint, member_disabled boolean, organization uuid, member uuid,
    space uuid, collections uuid[], default_level smallint
) RETURNS TABLE (role smallint) LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN member_disabled IS NULL OR member_disabled THEN NULL
        WHEN member_role = 6 THEN 6::smallint
        ELSE coalesce(
            (SELECT g.role
               FROM content_grants g
              WHERE g.organization_id = organization
                AND (g.space_id = space OR g.collection_id = ANY (collections))
                AND (g.user_id = member OR g.team_id IN (
                        SELECT t.team_id FROM team_members t WHERE t.organization_id = organization AND t.user_id = member))
              ORDER BY (g.space_id IS NOT NULL) DESC, array_position(collections, g.collection_id) DESC, g.role DESC
              LIMIT 1),
            CASE WHEN member_role IS NOT NULL THEN default_level END)
        END
$$;
