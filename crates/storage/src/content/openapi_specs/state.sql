-- Hash of the input of computed pages: the specifications of an organization. $1 organization.
SELECT sha256(convert_to(
         coalesce(string_agg(concat_ws(' ', id, last_version_id, source_url), ',' ORDER BY id), ''),
             'UTF8')) AS state
  FROM openapi_specs
 WHERE organization_id = $1
