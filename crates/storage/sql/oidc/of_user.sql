-- The providers of a user's organizations, and whether the user has an identity of them. $1 user, $2 maximum.
SELECT p.id, p.label,
       EXISTS (SELECT 1
                 FROM oidc_identities i
                WHERE i.organization_id = p.organization_id AND i.oidc_provider_id = p.id AND i.user_id = $1)
  FROM organization_members m
  JOIN oidc_providers p ON p.organization_id = m.organization_id
 WHERE m.user_id = $1 AND NOT m.disabled
 ORDER BY lower(p.label), p.id
 LIMIT $2
