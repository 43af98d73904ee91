-- OpenAPI specifications: what was asked for, the versions that came of it, and each version cut into the pages that are computed from it.

CREATE TABLE openapi_specs (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
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
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, slug),
    CHECK (num_nonnulls(source_url, source_text) = 1)
);
COMMENT ON COLUMN openapi_specs.generation IS 'Counts the sources it was given: what a worker made of an older one is dropped.';

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
COMMENT ON COLUMN openapi_spec_versions.source_hash IS 'SHA-256 of the source: the same text again makes no version.';

ALTER TABLE openapi_specs ADD FOREIGN KEY (organization_id, last_version_id) REFERENCES openapi_spec_versions (organization_id, id)
    ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX openapi_specs_last_version ON openapi_specs (organization_id, last_version_id);

-- Only the last version of a specification has pages and parts.
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
    FOREIGN KEY (organization_id, version_id) REFERENCES openapi_spec_versions (organization_id, id) ON DELETE CASCADE
);
COMMENT ON COLUMN openapi_spec_pages.place IS 'A JSON pointer into the specification, of which the ids of the page are made.';
COMMENT ON COLUMN openapi_spec_pages.parts IS 'The ordinals of the parts that it refers to, directly or through others.';

CREATE TABLE openapi_spec_parts (
    organization_id uuid NOT NULL,
    version_id uuid NOT NULL,
    ordinal integer NOT NULL,
    place text NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (organization_id, version_id, ordinal),
    FOREIGN KEY (organization_id, version_id) REFERENCES openapi_spec_versions (organization_id, id) ON DELETE CASCADE
);
COMMENT ON COLUMN openapi_spec_parts.place IS 'The JSON pointer that references name it by.';
