-- Organization of a SCIM token: the role of new users, and whether the organization is blocked. Returns no row for an
-- invalid token. $1 organization, $2 hash of the token.
SELECT t.default_role, o.blocked_reason IS NOT NULL
  FROM scim_tokens t
  JOIN organizations o ON o.id = t.organization_id
 WHERE t.organization_id = $1 AND t.hash = $2
