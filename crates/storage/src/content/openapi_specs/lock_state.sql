-- Locks a specification whose source has not been replaced. Returns its state, its last version and the hash of that
-- version's source, which is NULL if the pages of the version have another layout.
-- $1 organization, $2 specification, $3 generation of the source, $4 number of the current layout.
SELECT s.processing_state, s.last_version_id,
       (SELECT v.source_hash
          FROM openapi_spec_versions v
         WHERE v.organization_id = s.organization_id AND v.id = s.last_version_id
            AND v.layout = $4) AS last_hash
  FROM openapi_specs s
 WHERE s.organization_id = $1 AND s.id = $2 AND s.generation = $3
   FOR UPDATE OF s
