-- The providers that a sign-in page offers: those of the organizations with an e-mail domain, and those of the only
-- organization of the deployment. $1 domain or null, $2 maximum.
SELECT p.id, p.label
  FROM oidc_providers p
  JOIN organizations o ON o.id = p.organization_id
 WHERE o.email_domains @> ARRAY[$1]
    OR NOT EXISTS (SELECT 1 FROM organizations other WHERE other.id <> o.id)
 ORDER BY lower(p.label), p.id
 LIMIT $2
