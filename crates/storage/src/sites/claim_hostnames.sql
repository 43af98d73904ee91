-- Claims host names for an organization, and returns those that it owns, with true for proven ones. A name of another
-- organization and the existing proof of a name are not changed. The names are inserted in a fixed order, so that
-- concurrent claims do not deadlock.
-- $1 organization, $2 names, $3 the proof of each (null without one), $4 time.
INSERT INTO site_hostnames AS h (hostname, organization_id, verified_by, created_at)
SELECT n.hostname, $1, n.verified_by, $4
  FROM unnest($2, $3) AS n (hostname, verified_by)
 ORDER BY n.hostname COLLATE "C"
    ON CONFLICT (hostname) DO UPDATE
       SET verified_by = coalesce(h.verified_by, excluded.verified_by)
     WHERE h.organization_id = excluded.organization_id
RETURNING h.hostname, h.verified_by IS NOT NULL AS is_verified
