ALTER TABLE openapi_spec_versions DROP layout;
ALTER TABLE openapi_spec_pages DROP icon;
