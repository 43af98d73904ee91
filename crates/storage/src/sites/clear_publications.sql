-- Clears the visibility and the address of locked spaces that published sites showed, and returns the changes.
-- $1 organization, $2 spaces.
UPDATE spaces s
   SET site_visibility = NULL, site_address = NULL
  FROM spaces b
 WHERE b.organization_id = $1 AND b.id = s.id
   AND s.organization_id = $1 AND s.id = ANY ($2) AND s.site_visibility IS NOT NULL
RETURNING s.id, s.collection_id IS NOT NULL AS in_collection, s.deleted_at IS NOT NULL AS is_deleted,
          b.site_visibility AS before, s.site_visibility AS after
