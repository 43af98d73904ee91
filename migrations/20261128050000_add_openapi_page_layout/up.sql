-- Icons of the pages of OpenAPI specifications, and the layout that a version was made with.

ALTER TABLE openapi_spec_pages ADD icon text;

ALTER TABLE openapi_spec_versions ADD layout integer NOT NULL DEFAULT 1;
ALTER TABLE openapi_spec_versions ALTER layout DROP DEFAULT;
COMMENT ON COLUMN openapi_spec_versions.layout IS
    'Number of the layout of the pages. A version with an old one is replaced when its source is processed.';

-- Sources are processed again: until then the pages of their last versions stay as they are.
INSERT INTO jobs (id, kind, payload, key, run_at, created_at)
SELECT gen_random_uuid(), 'process-openapi-spec',
       jsonb_build_object('organization', organization_id, 'spec', id, 'generation', generation),
       concat_ws(' ', 'process-openapi-spec', id, generation), now(), now()
  FROM openapi_specs
 WHERE processing_state = 'complete'
    ON CONFLICT (key) DO NOTHING;

UPDATE openapi_specs SET processing_state = 'pending' WHERE processing_state = 'complete';
