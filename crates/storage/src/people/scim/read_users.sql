-- Members with the identity provider's data about them, and their first teams.
-- $1 organization, $2 users, $3 maximum number of teams per user.
SELECT m.user_id, coalesce(s.user_name, u.email, m.user_id::text), s.external_id, s.attributes,
       u.display_name, u.email, NOT m.disabled, m.joined_at, coalesce(s.updated_at, m.joined_at),
       (SELECT coalesce(jsonb_agg(jsonb_build_object('value', t.id, 'display', t.title) ORDER BY t.id), '[]')
          FROM (SELECT a.id, a.title
                  FROM team_members g
                  JOIN teams a ON a.organization_id = g.organization_id AND a.id = g.team_id
                 WHERE g.organization_id = m.organization_id AND g.user_id = m.user_id
                 ORDER BY a.id
                 LIMIT $3) t)
  FROM organization_members m
  JOIN users u ON u.id = m.user_id
  LEFT JOIN scim_users s ON s.organization_id = m.organization_id AND s.user_id = m.user_id
 WHERE m.organization_id = $1 AND m.user_id = ANY ($2)
 ORDER BY m.user_id
