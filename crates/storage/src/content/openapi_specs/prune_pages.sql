-- Deletes the pages of all versions of a specification except two: a reader that has just seen the previous version may
-- still request one of its pages.
-- $1 organization, $2 specification, $3 last version, $4 previous version.
DELETE FROM openapi_spec_pages p
 USING openapi_spec_versions v
 WHERE v.organization_id = $1 AND v.spec_id = $2 AND v.id <> $3 AND v.id IS DISTINCT FROM $4
   AND p.organization_id = $1 AND p.version_id = v.id
