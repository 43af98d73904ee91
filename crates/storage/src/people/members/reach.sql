-- Members with the number of spaces on which they have a role, among those that the reader sees, the number of their
-- teams, the number of sites that they see (all of the organization for members with a role), and whether they have a
-- second factor.
-- A user with a grant on a space or above it has a role on it, because a grant always has a role. Without a grant,
-- members have the default level of the space. So roles are counted without `effective_role`; a test compares the
-- results.
-- $1 hash of the reader's token, $2 time, $3 organization, $4 members.
WITH seen AS (
    SELECT id, organization_id, collection_id, default_level
      FROM space_access
     WHERE token_hash = $1 AND (token_expires_at IS NULL OR token_expires_at > $2)
       AND organization_id = $3 AND deleted_at IS NULL AND is_visible),
-- Places whose grants apply to a space: the space itself, and each collection above it.
places AS (
    SELECT s.id AS place, s.id AS space, s.default_level
      FROM seen s
     UNION ALL
    SELECT above.place, s.id, s.default_level
      FROM seen s
      JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id
     CROSS JOIN LATERAL unnest(c.path) AS above (place)),
granted AS (
    SELECT DISTINCT holder.user_id, p.space, p.default_level
      FROM (SELECT g.user_id, coalesce(g.space_id, g.collection_id) AS place
              FROM content_grants g
             WHERE g.organization_id = $3 AND g.user_id = ANY ($4)
             UNION
            SELECT tm.user_id, coalesce(g.space_id, g.collection_id)
              FROM team_members tm
              JOIN content_grants g ON g.organization_id = tm.organization_id AND g.team_id = tm.team_id
             WHERE tm.organization_id = $3 AND tm.user_id = ANY ($4)) holder
      JOIN places p ON p.place = holder.place),
counted AS (
    SELECT user_id, count(*) AS spaces, count(*) FILTER (WHERE default_level IS NULL) AS closed
      FROM granted
     GROUP BY user_id),
existing AS (
    SELECT count(*) AS spaces, count(default_level) AS open,
           (SELECT count(*) FROM sites WHERE organization_id = $3) AS sites
      FROM seen),
joined AS (
    SELECT user_id, count(*) AS teams
      FROM team_members
     WHERE organization_id = $3 AND user_id = ANY ($4)
     GROUP BY user_id)
SELECT m.user_id,
       CASE
           WHEN m.disabled THEN 0
           WHEN m.role = 6 THEN existing.spaces
           WHEN m.role IS NULL THEN coalesce(counted.spaces, 0)
           ELSE existing.open + coalesce(counted.closed, 0)
       END AS spaces,
       coalesce(joined.teams, 0) AS teams,
       CASE WHEN m.disabled OR m.role IS NULL THEN 0 ELSE existing.sites END AS sites,
       EXISTS (SELECT FROM totp_secrets f WHERE f.user_id = m.user_id AND f.confirmed_at IS NOT NULL)
       OR EXISTS (SELECT FROM passkeys k WHERE k.user_id = m.user_id) AS has_factor
  FROM organization_members m
 CROSS JOIN existing
  LEFT JOIN counted ON counted.user_id = m.user_id
  LEFT JOIN joined ON joined.user_id = m.user_id
 WHERE m.organization_id = $3 AND m.user_id = ANY ($4)
