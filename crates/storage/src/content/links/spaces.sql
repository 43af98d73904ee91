-- Given link targets that are spaces of an organization. $1 organization, $2 spaces.
SELECT $columns(s)
  FROM spaces s
 WHERE s.organization_id = $1 AND s.id = ANY ($2) AND s.deleted_at IS NULL
