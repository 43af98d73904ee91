DROP TABLE openapi_spec_parts;
DROP TABLE openapi_spec_pages;
ALTER TABLE openapi_specs DROP CONSTRAINT openapi_specs_organization_id_last_version_id_fkey;
DROP TABLE openapi_spec_versions;
DROP TABLE openapi_specs;
