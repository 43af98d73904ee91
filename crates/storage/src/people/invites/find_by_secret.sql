-- Locks and returns an e-mail invite with its secret.
-- $1 invite, $2 time, $3 hash of the secret, which the inviter or a mail passed on.
SELECT i.organization_id, i.email, i.role, i.sso, o.blocked_reason IS NOT NULL AS organization_is_blocked
  FROM email_invites i
  JOIN organizations o ON o.id = i.organization_id
 WHERE i.id = $1 AND i.expires_at > $2 AND $3 IN (i.secret_hash, i.mailed_secret_hash)
   FOR UPDATE OF i
