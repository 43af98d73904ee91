-- Teams with the identity provider's data about them. With members, the list ends after the team that exceeds a number
-- of members. $1 organization, $2 teams, $3 whether to read the members, $4 number of members.
SELECT t.id, t.title, g.external_id, t.created_at, coalesce(g.updated_at, t.created_at),
       CASE WHEN $3
            THEN (SELECT coalesce(
                             jsonb_agg(jsonb_build_object('value', m.user_id) ORDER BY m.user_id),
                             '[]')
                    FROM team_members m
                   WHERE m.organization_id = $1 AND m.team_id = t.id)
            ELSE '[]' END
  FROM (SELECT s.id, s.title, s.created_at,
               coalesce(sum(s.size) OVER (ORDER BY s.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
                   AS members_before
          FROM (SELECT a.id, a.title, a.created_at,
                       CASE WHEN $3
                            THEN (SELECT count(*)
                                    FROM team_members c
                                   WHERE c.organization_id = a.organization_id AND c.team_id = a.id)
                            ELSE 0 END AS size
                  FROM teams a
                 WHERE a.organization_id = $1 AND a.id = ANY ($2)) s) t
  LEFT JOIN scim_groups g ON g.organization_id = $1 AND g.team_id = t.id
 WHERE t.members_before <= $4
 ORDER BY t.id
