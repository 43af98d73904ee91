-- Typed metadata of spaces: an organization says which fields there are, each space what their values are.

CREATE TABLE custom_fields (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL CHECK (name ~ '^[a-z_0-9-]{1,50}$'),
    type text NOT NULL CHECK (type IN ('text', 'number', 'boolean', 'tags', 'select:multi', 'select:single')),
    title text NOT NULL CHECK (char_length(title) <= 100),
    description text NOT NULL CHECK (char_length(description) <= 200),
    placeholder text NOT NULL CHECK (char_length(placeholder) <= 100),
    options text[],
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, name),
    CHECK ((options IS NOT NULL) = (type LIKE 'select:%'))
);

CREATE TABLE custom_field_values (
    organization_id uuid NOT NULL,
    space_id uuid NOT NULL,
    custom_field_id uuid NOT NULL,
    value jsonb NOT NULL,
    PRIMARY KEY (organization_id, space_id, custom_field_id),
    FOREIGN KEY (organization_id, space_id) REFERENCES spaces (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, custom_field_id) REFERENCES custom_fields (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX custom_field_values_field ON custom_field_values (organization_id, custom_field_id);

-- What became of the values while a revision was the head of its space. It belongs to the content's history: it names the field, which
-- may be gone, and stays with a space that changes its organization.
CREATE TABLE custom_field_changes (
    space_id uuid NOT NULL,
    revision_id uuid NOT NULL,
    name text NOT NULL,
    before jsonb,
    after jsonb,
    PRIMARY KEY (space_id, revision_id, name),
    FOREIGN KEY (space_id, revision_id) REFERENCES revisions (space_id, id) ON DELETE CASCADE
);
COMMENT ON COLUMN custom_field_changes.before IS 'The value when the revision became the head; null for none.';
COMMENT ON COLUMN custom_field_changes.after IS 'The value after the last change under that head; null for none.';
