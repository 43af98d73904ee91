-- Accepts a code by its step. Writes no row if the step is not after the last accepted one. $1 user, $2 step.
UPDATE totp_secrets
   SET last_step = $2
 WHERE user_id = $1 AND (last_step IS NULL OR last_step < $2)
