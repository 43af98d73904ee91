-- Ranks of the roles of a user on organizations, collections and spaces: 0 for a guest of an organization, null without
-- a role. Ids that no longer exist are left out.
-- $1 user, $2 ids.
SELECT o.id, CASE WHEN m.user_id IS NOT NULL THEN coalesce(m.role, 0::smallint) END AS role
  FROM unnest($2) AS p (id)
  JOIN organizations o ON o.id = p.id
  LEFT JOIN organization_members m ON m.organization_id = o.id AND m.user_id = $1 AND NOT m.disabled
 UNION ALL
SELECT c.id, er.role
  FROM unnest($2) AS p (id)
  JOIN collections c ON c.id = p.id
  LEFT JOIN organization_members m ON m.organization_id = c.organization_id AND m.user_id = $1
 CROSS JOIN LATERAL effective_role(
           m.role, m.disabled, c.organization_id, $1, NULL, c.path, c.default_level) er
 UNION ALL
SELECT s.id, er.role
  FROM unnest($2) AS p (id)
  JOIN spaces s ON s.id = p.id
  LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id
  LEFT JOIN organization_members m ON m.organization_id = s.organization_id AND m.user_id = $1
 CROSS JOIN LATERAL effective_role(
           m.role, m.disabled, s.organization_id, $1, s.id, c.path, s.default_level) er
