-- Page of the spaces of an organization, or in one of its collections, that a member sees, in their order: id, role,
-- and the length of the whole list. The grants of the member and of its teams are found once: `on_spaces` has the
-- strongest grant on each space, `on_collections` the nearest grant to each collection. Both are empty for
-- administrators. The result equals that of the function effective_role, which would cost a subquery per space.
-- $1 user, $2 organization, $3 least and $4 greatest parent (nil for the root), $5 parent, $6 position and $7 id after
-- which the page starts, $8 limit.
WITH granted AS MATERIALIZED (
    SELECT g.space_id, g.collection_id, g.role
      FROM content_grants g
      JOIN organization_members m
        ON m.organization_id = g.organization_id AND m.user_id = $1 AND m.role IS DISTINCT FROM 6
     WHERE g.organization_id = $2
       AND (g.user_id = $1
            OR g.team_id IN (SELECT tm.team_id
                               FROM team_members tm
                              WHERE tm.organization_id = $2 AND tm.user_id = $1))),
on_spaces AS MATERIALIZED (
    SELECT g.space_id, max(g.role) AS role
      FROM granted g
     WHERE g.space_id IS NOT NULL
     GROUP BY g.space_id),
on_collections AS MATERIALIZED (
    SELECT DISTINCT ON (c.id) c.id, g.role
      FROM granted g
      JOIN collections c ON c.organization_id = $2 AND g.collection_id = ANY (c.path)
     ORDER BY c.id, array_position(c.path, g.collection_id) DESC, g.role DESC)
SELECT v.id, v.role,
       (SELECT count(*)
          FROM organization_members m
          JOIN spaces s ON s.organization_id = m.organization_id
          LEFT JOIN on_spaces os ON os.space_id = s.id
          LEFT JOIN on_collections oc ON oc.id = s.collection_id
         WHERE m.organization_id = $2 AND m.user_id = $1 AND NOT m.disabled AND s.deleted_at IS NULL
           AND coalesce(s.collection_id, '00000000-0000-0000-0000-000000000000') BETWEEN $3 AND $4
           AND (m.role = 6
                OR coalesce(os.role, oc.role) IS NOT NULL
                OR m.role IS NOT NULL AND s.default_level IS NOT NULL)) AS total
  FROM (SELECT s.id, s.position,
               coalesce(s.collection_id, '00000000-0000-0000-0000-000000000000') AS place,
               CASE
                   WHEN m.role = 6 THEN m.role
                   ELSE coalesce(
                       os.role, oc.role,
                       CASE
                           WHEN m.role IS NOT NULL AND s.default_level IS NOT NULL
                           THEN greatest(m.role, s.default_level)
                       END)
               END AS role
          FROM organization_members m
          JOIN spaces s ON s.organization_id = m.organization_id
          LEFT JOIN on_spaces os ON os.space_id = s.id
          LEFT JOIN on_collections oc ON oc.id = s.collection_id
         WHERE m.organization_id = $2 AND m.user_id = $1 AND NOT m.disabled AND s.deleted_at IS NULL) v
 WHERE v.role IS NOT NULL AND v.place BETWEEN $3 AND $4
   AND (v.place, v.position, v.id) > ($5, $6, $7)
 ORDER BY v.place, v.position, v.id
 LIMIT $8
