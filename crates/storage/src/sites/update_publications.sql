-- Writes the visibility and the address of locked spaces on published sites, where they differ, and returns the
-- changes. The joined row has the visibility before the update.
-- $1 organization, $2 spaces, $3 their visibilities, $4 their addresses; both are null for a space that is on no site.
UPDATE spaces s
   SET site_visibility = n.visibility, site_address = n.address
  FROM unnest($2, $3, $4) AS n (id, visibility, address)
  JOIN spaces b ON b.organization_id = $1 AND b.id = n.id
 WHERE s.organization_id = $1 AND s.id = n.id
   AND (s.site_visibility IS DISTINCT FROM n.visibility OR s.site_address IS DISTINCT FROM n.address)
RETURNING s.id, s.collection_id IS NOT NULL AS in_collection, s.deleted_at IS NOT NULL AS is_deleted,
          b.site_visibility AS before, s.site_visibility AS after
