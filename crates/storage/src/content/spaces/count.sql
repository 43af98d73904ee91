-- Total length of the list that list.sql pages through: the spaces of an organization, or in one of its collections,
-- that a member sees.
-- $1 user, $2 organization, $3 least and $4 greatest parent (nil for the root).
WITH granted AS MATERIALIZED (
    SELECT g.space_id, g.collection_id
      FROM content_grants g
      JOIN organization_members m
        ON m.organization_id = g.organization_id AND m.user_id = $1 AND m.role IS DISTINCT FROM 6
     WHERE g.organization_id = $2
       AND (g.user_id = $1
            OR g.team_id IN (SELECT tm.team_id
                               FROM team_members tm
                              WHERE tm.organization_id = $2 AND tm.user_id = $1)))
SELECT count(*)
  FROM organization_members m
  JOIN spaces s ON s.organization_id = m.organization_id
 WHERE m.organization_id = $2 AND m.user_id = $1 AND NOT m.disabled AND s.deleted_at IS NULL
   AND coalesce(s.collection_id, '00000000-0000-0000-0000-000000000000') BETWEEN $3 AND $4
   AND (m.role = 6
        OR m.role IS NOT NULL AND s.default_level IS NOT NULL
        OR s.id IN (SELECT g.space_id FROM granted g)
        OR s.collection_id IN (SELECT c.id
                                 FROM granted g
                                 JOIN collections c
                                   ON c.organization_id = $2 AND g.collection_id = ANY (c.path)))
