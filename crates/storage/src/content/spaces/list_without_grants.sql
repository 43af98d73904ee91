-- The actor, its role in an organization, and a page of the spaces that it sees there without a grant: one row with the
-- length of the whole list, and the ids and default levels of the page in their order. If `is_granted`, the actor has
-- grants and the list is empty; grants of administrators do not count.
-- $1 hash of the actor's token, $2 time, $3 organization, $4 parent, $5 position and $6 id after which the page starts,
-- $7 limit.
SELECT t.id AS token_id, t.user_id AS actor_id, t.read_only, t.last_used_at,
       EXISTS (SELECT FROM lacking_sessions l WHERE l.token_id = t.id) AS lacks_factor,
       m.role AS member_role, g.is_granted, l.total, l.ids, l.levels
  FROM api_tokens t
  JOIN organization_members m ON m.organization_id = $3 AND m.user_id = t.user_id AND NOT m.disabled
 CROSS JOIN LATERAL (
       SELECT m.role IS DISTINCT FROM 6
              AND (EXISTS (SELECT 1
                             FROM content_grants g
                            WHERE g.organization_id = $3 AND g.user_id = t.user_id)
                   OR EXISTS (SELECT 1
                                FROM team_members tm
                                JOIN content_grants g
                                  ON g.organization_id = tm.organization_id AND g.team_id = tm.team_id
                               WHERE tm.organization_id = $3 AND tm.user_id = t.user_id)) AS is_granted
       OFFSET 0) g
 CROSS JOIN LATERAL (
       SELECT (SELECT count(*)
                 FROM spaces s
                WHERE s.organization_id = $3 AND s.deleted_at IS NULL
                  AND (m.role = 6 OR (m.role IS NOT NULL AND s.default_level IS NOT NULL))
                  AND NOT g.is_granted) AS total,
              array_agg(p.id) AS ids, array_agg(p.default_level) AS levels
         FROM (SELECT s.id, s.default_level
                 FROM spaces s
                WHERE s.organization_id = $3 AND s.deleted_at IS NULL
                  AND (m.role = 6 OR (m.role IS NOT NULL AND s.default_level IS NOT NULL))
                  AND NOT g.is_granted
                  AND (coalesce(s.collection_id, '00000000-0000-0000-0000-000000000000'), s.position, s.id)
                      > ($4, $5, $6)
                ORDER BY coalesce(s.collection_id, '00000000-0000-0000-0000-000000000000'), s.position, s.id
                LIMIT $7) p) l
 WHERE t.hash = $1 AND (t.expires_at IS NULL OR t.expires_at > $2)
   AND (t.organizations IS NULL OR $3 = ANY (t.organizations))
