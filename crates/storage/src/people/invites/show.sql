-- Pending e-mail invite for the bearer of its secret: the title of the organization and the invited address.
-- $1 invite, $2 time, $3 hash of the secret, which the inviter or a mail passed on.
SELECT o.title, i.email
  FROM email_invites i
  JOIN organizations o ON o.id = i.organization_id
 WHERE i.id = $1 AND i.expires_at > $2 AND $3 IN (i.secret_hash, i.mailed_secret_hash)
