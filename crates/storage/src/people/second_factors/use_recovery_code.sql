-- Consumes a recovery code. Writes no row if it is unknown or was already used. $1 user, $2 hash, $3 time.
UPDATE recovery_codes
   SET used_at = $3
 WHERE user_id = $1 AND hash = $2 AND used_at IS NULL
