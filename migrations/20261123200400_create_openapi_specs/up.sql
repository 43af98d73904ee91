-- OpenAPI specifications, and the pages and parts that each version is made into.

CREATE TABLE openapi_specs (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    slug text NOT NULL CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND char_length(slug) <= 100),
    source_url text,
    source_text text,
    generation integer NOT NULL DEFAULT 1,
    processing_state text NOT NULL CHECK (processing_state IN ('pending', 'progress', 'complete')),
    last_version_id uuid,
    last_processed_at timestamptz,
    last_process_error text CHECK (last_process_error IN ('FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR')),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK (num_nonnulls(source_url, source_text) = 1),
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, slug),
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

CREATE INDEX openapi_specs_last_version ON openapi_specs (organization_id, last_version_id);
COMMENT ON TABLE openapi_specs IS
    'OpenAPI specifications of an organization, with the state of their processing.';
COMMENT ON COLUMN openapi_specs.generation IS
    'Number of sources given so far. The result of processing an older one is dropped.';

CREATE TABLE openapi_spec_versions (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    spec_id uuid NOT NULL,
    format text NOT NULL CHECK (format IN ('json', 'yaml')),
    source_hash bytea NOT NULL CHECK (octet_length(source_hash) = 32),
    source text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, spec_id) REFERENCES openapi_specs (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX openapi_spec_versions_spec ON openapi_spec_versions (organization_id, spec_id, id);
COMMENT ON TABLE openapi_spec_versions IS 'Processed versions of a specification.';
COMMENT ON COLUMN openapi_spec_versions.source_hash IS
    'SHA-256 of the source. The same source makes no new version.';

ALTER TABLE openapi_specs
    ADD FOREIGN KEY (organization_id, last_version_id)
        REFERENCES openapi_spec_versions (organization_id, id) DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE openapi_spec_pages (
    organization_id uuid NOT NULL,
    version_id uuid NOT NULL,
    ordinal integer NOT NULL,
    parent integer,
    kind text NOT NULL CHECK (kind IN ('info', 'tag', 'operation', 'models', 'model')),
    place text NOT NULL,
    title text NOT NULL,
    slug text NOT NULL,
    description text,
    body text NOT NULL,
    parts integer[] NOT NULL,
    PRIMARY KEY (organization_id, version_id, ordinal),
    FOREIGN KEY (organization_id, version_id)
        REFERENCES openapi_spec_versions (organization_id, id) ON DELETE CASCADE
);

COMMENT ON TABLE openapi_spec_pages IS
    'Pages that a version is made into: one for each tag, operation and list of models.';
COMMENT ON COLUMN openapi_spec_pages.place IS
    'JSON pointer into the specification. The ids of the page derive from it.';
COMMENT ON COLUMN openapi_spec_pages.parts IS
    'Ordinals of the parts that the page refers to, directly or indirectly.';

CREATE TABLE openapi_spec_parts (
    organization_id uuid NOT NULL,
    version_id uuid NOT NULL,
    ordinal integer NOT NULL,
    place text NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (organization_id, version_id, ordinal),
    FOREIGN KEY (organization_id, version_id)
        REFERENCES openapi_spec_versions (organization_id, id) ON DELETE CASCADE
);

COMMENT ON TABLE openapi_spec_parts IS 'Components of a version that its pages refer to.';
COMMENT ON COLUMN openapi_spec_parts.place IS 'JSON pointer by which references name the part.';
