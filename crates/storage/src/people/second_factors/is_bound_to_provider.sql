-- Returns whether an organization of a user enforces single sign-on and has a tested provider. Administrators with a
-- second factor are exempt, so that they can repair a provider.
-- $1 user, $2 rank of the role of administrators, $3 whether the user has proven a second factor.
SELECT EXISTS (SELECT 1
                 FROM organization_members m
                 JOIN organizations o ON o.id = m.organization_id
                WHERE m.user_id = $1 AND NOT m.disabled AND o.sso
                  AND (EXISTS (SELECT 1
                                 FROM oidc_providers p
                                WHERE p.organization_id = o.id AND p.tested_at IS NOT NULL)
                       OR EXISTS (SELECT 1
                                    FROM saml_providers s
                                   WHERE s.organization_id = o.id AND s.tested_at IS NOT NULL))
                  AND (m.role IS DISTINCT FROM $2
                       OR NOT ($3 OR EXISTS (SELECT 1
                                               FROM totp_secrets t
                                              WHERE t.user_id = $1 AND t.confirmed_at IS NOT NULL))))
