-- Uses a recovery code up. Writes no row for one that is unknown or was used. $1 user, $2 hash, $3 time.
UPDATE recovery_codes
   SET used_at = $3
 WHERE user_id = $1 AND hash = $2 AND used_at IS NULL
