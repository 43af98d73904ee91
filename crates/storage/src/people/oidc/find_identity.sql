-- User of an identity: its id, whether the user connected the identity, whether the user is a member of another
-- organization, and whether the user is a disabled member of this one (null if not a member).
-- $1 organization, $2 provider, $3 subject.
SELECT i.user_id, i.connected_by_user,
       EXISTS (SELECT 1 FROM organization_members m WHERE m.user_id = i.user_id AND m.organization_id <> $1),
       (SELECT m.disabled FROM organization_members m WHERE m.organization_id = $1 AND m.user_id = i.user_id)
  FROM oidc_identities i
 WHERE i.organization_id = $1 AND i.oidc_provider_id = $2 AND i.subject = $3
