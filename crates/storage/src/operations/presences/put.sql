-- Records that a user has content open, and removes expired rows of the space.
-- $1 space, $2 change request or space, $3 user, $4 page, $5 block, $6 whether the user types, $7 expiry, $8 time.
WITH expired AS (
    DELETE FROM presences
     WHERE space_id = $1 AND expires_at <= $8 AND (head_id, user_id) <> ($2, $3))
INSERT INTO presences (space_id, head_id, user_id, page_id, block, typing, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (space_id, head_id, user_id) DO UPDATE
   SET page_id = $4, block = $5, typing = $6, expires_at = $7
