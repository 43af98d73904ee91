-- Accepts a code by its step. Writes no row for a step that is not after the last one. $1 user, $2 step.
UPDATE totp_secrets
   SET last_step = $2
 WHERE user_id = $1 AND (last_step IS NULL OR last_step < $2)
