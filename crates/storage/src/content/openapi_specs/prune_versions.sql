-- Deletes all but the last versions of a specification. $1 organization, $2 specification, $3 number of versions kept.
DELETE FROM openapi_spec_versions
 WHERE organization_id = $1 AND spec_id = $2
   AND id NOT IN (SELECT v.id
                    FROM openapi_spec_versions v
                   WHERE v.organization_id = $1 AND v.spec_id = $2
                   ORDER BY v.id DESC
                   LIMIT $3)
