-- Number of users with a role on a space or collection. Members without a grant are counted by their roles in the
-- organization, with an index. Members with a grant are counted separately, so that no role is looked up per member. A
-- test compares the result with `effective_role`.
-- $1 organization, $2 space or $3 collection, $4 role (null for all).
WITH place AS (
    SELECT s.id AS space_id, c.path, s.default_level
      FROM spaces s
      LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id
     WHERE s.organization_id = $1 AND s.id = $2
     UNION ALL
    SELECT NULL, c.path, c.default_level
      FROM collections c
     WHERE c.organization_id = $1 AND c.id = $3),
-- The nearest grant of each user counts, and the strongest of several at the same place.
granted AS (
    SELECT DISTINCT ON (holder.user_id) holder.user_id, g.role
      FROM place p
      JOIN content_grants g
        ON g.organization_id = $1 AND (g.space_id = p.space_id OR g.collection_id = ANY (p.path))
     CROSS JOIN LATERAL (
           SELECT g.user_id WHERE g.user_id IS NOT NULL
            UNION ALL
           SELECT t.user_id FROM team_members t WHERE t.organization_id = $1 AND t.team_id = g.team_id) holder
     ORDER BY holder.user_id, (g.space_id IS NOT NULL) DESC, array_position(p.path, g.collection_id) DESC,
              g.role DESC),
counted AS (
    SELECT m.role AS member_role, NULL::smallint AS granted, count(*) AS members
      FROM organization_members m
     WHERE m.organization_id = $1 AND NOT m.disabled
     GROUP BY m.role
     UNION ALL
    -- Members with a grant were counted above as if they had none.
    SELECT m.role, change.role, change.members
      FROM granted g
      JOIN organization_members m ON m.organization_id = $1 AND m.user_id = g.user_id
     CROSS JOIN LATERAL (VALUES (NULL::smallint, -1), (g.role, 1)) AS change (role, members)
     WHERE NOT m.disabled AND m.role IS DISTINCT FROM 6)
SELECT coalesce(sum(c.members), 0)::bigint
  FROM counted c
 CROSS JOIN place p
 CROSS JOIN LATERAL (
       SELECT CASE
                  WHEN c.member_role = 6 THEN 6::smallint
                  WHEN c.granted IS NOT NULL THEN c.granted
                  WHEN c.member_role IS NOT NULL AND p.default_level IS NOT NULL
                  THEN greatest(c.member_role, p.default_level)
              END AS role) effective
 WHERE effective.role IS NOT NULL AND ($4 IS NULL OR effective.role = $4)
