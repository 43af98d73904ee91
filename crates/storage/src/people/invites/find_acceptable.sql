-- Locks and returns an e-mail invite that the user of a token may accept, by its secret or with the invited address,
-- with the actor and the actor's membership. Of concurrent requests, only the first finds a row.
-- $1 hash of the token, $2 time, $3 invite, $4 hash of the secret (null without one).
SELECT t.id AS token_id, t.user_id AS actor_id, t.read_only, t.last_used_at,
       EXISTS (SELECT FROM lacking_sessions l WHERE l.token_id = t.id) AS lacks_factor,
       i.organization_id, i.email, i.role, i.sso, o.blocked_reason IS NOT NULL AS organization_is_blocked,
       m.role AS member_role, m.disabled AS member_disabled,
       coalesce(lower(u.email) = lower(i.email), false) AS has_address
  FROM api_tokens t
  JOIN users u ON u.id = t.user_id
  JOIN email_invites i ON t.organizations IS NULL OR i.organization_id = ANY (t.organizations)
  JOIN organizations o ON o.id = i.organization_id
  LEFT JOIN organization_members m ON m.organization_id = i.organization_id AND m.user_id = t.user_id
 WHERE t.hash = $1 AND (t.expires_at IS NULL OR t.expires_at > $2)
   AND i.id = $3 AND i.expires_at > $2
   AND ($4 IN (i.secret_hash, i.mailed_secret_hash) OR lower(u.email) = lower(i.email))
   FOR UPDATE OF i
