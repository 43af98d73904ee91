-- Teams with the number of their members, and of the spaces granted to them, among those that the reader sees.
-- $1 hash of the reader's token, $2 time, $3 organization, $4 teams.
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
    SELECT g.team_id, count(DISTINCT p.space) AS spaces
      FROM content_grants g
      JOIN places p ON p.place = coalesce(g.space_id, g.collection_id)
     WHERE g.organization_id = $3 AND g.team_id = ANY ($4)
     GROUP BY g.team_id),
joined AS (
    SELECT team_id, count(*) AS members
      FROM team_members
     WHERE organization_id = $3 AND team_id = ANY ($4)
     GROUP BY team_id)
SELECT tm.id, coalesce(joined.members, 0) AS members, coalesce(granted.spaces, 0) AS spaces
  FROM teams tm
  LEFT JOIN granted ON granted.team_id = tm.id
  LEFT JOIN joined ON joined.team_id = tm.id
 WHERE tm.organization_id = $3 AND tm.id = ANY ($4)
