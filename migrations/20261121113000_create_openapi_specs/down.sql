DROP TABLE openapi_spec_parts;
DROP TABLE openapi_spec_pages;
ALTER TABLE openapi_specs DROP COLUMN last_version_id;
DROP TABLE openapi_spec_versions;
DROP TABLE openapi_specs;
