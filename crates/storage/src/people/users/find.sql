-- User with the actor: the actor itself, or a user who shares an organization with it (`Action::ViewOrganization`).
-- $1 hash of the actor's token, $2 time, $3 user.
SELECT t.id, t.user_id, t.read_only, t.last_used_at,
       EXISTS (SELECT FROM lacking_sessions l WHERE l.token_id = t.id) AS lacks_factor,
       u.id, u.email, u.display_name, u.photo_url
  FROM api_tokens t
  JOIN users u ON u.id = $3
 WHERE t.hash = $1 AND (t.expires_at IS NULL OR t.expires_at > $2)
   AND (u.id = t.user_id
        OR EXISTS (SELECT 1
                     FROM organization_members own
                     JOIN organization_members other
                       ON other.organization_id = own.organization_id AND other.user_id = u.id
                    WHERE own.user_id = t.user_id AND NOT own.disabled
                      AND (t.organizations IS NULL OR own.organization_id = ANY (t.organizations))))
