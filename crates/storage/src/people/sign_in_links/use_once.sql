-- Marks a link as used and returns its user, if it can still be used. $1 hash of its secret, $2 time.
UPDATE sign_in_links
   SET used_at = $2
 WHERE hash = $1 AND used_at IS NULL AND expires_at > $2
RETURNING user_id
