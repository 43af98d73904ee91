-- User of an e-mail address: its id, whether the address is verified, whether the user is a member of another
-- organization, and whether the user is a disabled member of this one (null if not a member). A verified address takes
-- precedence over one set by the organization's identity provider with SCIM, which takes precedence over an unverified
-- one.
-- $1 organization, $2 address.
SELECT u.id, u.is_verified,
       EXISTS (SELECT 1 FROM organization_members m WHERE m.user_id = u.id AND m.organization_id <> $1),
       (SELECT m.disabled FROM organization_members m WHERE m.organization_id = $1 AND m.user_id = u.id)
  FROM (SELECT a.id, true AS is_verified, 1 AS place FROM users a WHERE lower(a.email) = lower($2)
         UNION ALL
        SELECT s.user_id, true, 2
          FROM scim_users s
         WHERE s.organization_id = $1 AND lower(s.email) = lower($2)
         UNION ALL
        SELECT b.id, false, 3 FROM users b WHERE lower(b.login_email) = lower($2)) u
 ORDER BY u.place, u.id
 LIMIT 1
