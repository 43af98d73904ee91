-- Providers that a sign-in page offers, and whether they use SAML: those of organizations with an e-mail domain, and
-- those of the only organization of the deployment. Incomplete providers are left out.
-- $1 domain or null, $2 maximum.
SELECT id, label, is_saml
  FROM (SELECT p.id, p.label, false AS is_saml
          FROM oidc_providers p
          JOIN organizations o ON o.id = p.organization_id
         WHERE o.email_domains @> ARRAY[$1]
            OR NOT EXISTS (SELECT 1 FROM organizations other WHERE other.id <> o.id)
         UNION ALL
        SELECT s.id, s.label, true
          FROM saml_providers s
          JOIN organizations o ON o.id = s.organization_id
         WHERE num_nulls(s.sso_url, s.entity_id, s.certificate) = 0
           AND (o.email_domains @> ARRAY[$1]
                OR NOT EXISTS (SELECT 1 FROM organizations other WHERE other.id <> o.id))) providers
 ORDER BY lower(label), id
 LIMIT $2
