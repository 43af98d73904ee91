-- Locks a specification whose source has not been replaced. Returns its state, its last version and the hash of the
-- source of that. $1 organization, $2 specification, $3 generation of the source.
SELECT s.processing_state, s.last_version_id,
       (SELECT v.source_hash
          FROM openapi_spec_versions v
         WHERE v.organization_id = s.organization_id AND v.id = s.last_version_id) AS last_hash
  FROM openapi_specs s
 WHERE s.organization_id = $1 AND s.id = $2 AND s.generation = $3
   FOR UPDATE OF s
