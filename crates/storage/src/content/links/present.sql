-- Given link targets that exist in an organization.
-- $1 organization, $2 spaces, $3 collections, $4 users, $5 slugs and $6 ids of OpenAPI specifications.
SELECT 'space' AS kind, s.id, NULL AS slug
  FROM spaces s
 WHERE s.organization_id = $1 AND s.id = ANY ($2) AND s.deleted_at IS NULL
 UNION ALL
SELECT 'collection', c.id, NULL
  FROM collections c
 WHERE c.organization_id = $1 AND c.id = ANY ($3)
 UNION ALL
SELECT 'user', m.user_id, NULL
  FROM organization_members m
 WHERE m.organization_id = $1 AND m.user_id = ANY ($4)
 UNION ALL
SELECT 'openapi', o.id, o.slug
  FROM openapi_specs o
 WHERE o.organization_id = $1 AND (o.slug = ANY ($5) OR o.id = ANY ($6))
