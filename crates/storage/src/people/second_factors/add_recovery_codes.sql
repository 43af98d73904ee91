-- Adds recovery codes. $1 user, $2 hashes.
INSERT INTO recovery_codes (user_id, hash)
SELECT $1, hash
  FROM unnest($2) AS hash
