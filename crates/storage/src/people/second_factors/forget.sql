-- Marks the sessions of a user whose last second factor was removed as without a second factor. $1 user.
UPDATE api_tokens t
   SET second_factor = false
 WHERE t.user_id = $1 AND t.second_factor
   AND NOT EXISTS (SELECT FROM totp_secrets s WHERE s.user_id = t.user_id AND s.confirmed_at IS NOT NULL)
   AND NOT EXISTS (SELECT FROM passkeys p WHERE p.user_id = t.user_id)
