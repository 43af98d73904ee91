-- Providers of a user's organizations, whether they use SAML, and whether the user has an identity at them. Incomplete
-- providers are left out. $1 user, $2 maximum.
SELECT id, label, is_saml, is_connected
  FROM (SELECT p.id, p.label, false AS is_saml,
               EXISTS (SELECT 1
                         FROM oidc_identities i
                        WHERE i.organization_id = p.organization_id AND i.oidc_provider_id = p.id
                          AND i.user_id = $1) AS is_connected
          FROM organization_members m
          JOIN oidc_providers p ON p.organization_id = m.organization_id
         WHERE m.user_id = $1 AND NOT m.disabled
         UNION ALL
        SELECT s.id, s.label, true,
               EXISTS (SELECT 1
                         FROM saml_identities i
                        WHERE i.organization_id = s.organization_id AND i.saml_provider_id = s.id
                          AND i.user_id = $1)
          FROM organization_members m
          JOIN saml_providers s ON s.organization_id = m.organization_id
         WHERE m.user_id = $1 AND NOT m.disabled AND num_nulls(s.sso_url, s.entity_id, s.certificate) = 0
       ) providers
 ORDER BY lower(label), id
 LIMIT $2
