-- The user of an e-mail address: its id, whether the address is verified, and whether the user is a member of another
-- organization, and a disabled member of this one (null: no member). A verified address precedes one that the identity
-- provider of the organization has set with SCIM, and that one an address that is not verified.
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
