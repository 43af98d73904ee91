-- Deletes the oldest sessions of a user, so that fewer than a maximum remain. $1 user, $2 maximum.
DELETE FROM api_tokens
 WHERE id IN (SELECT id
                FROM api_tokens
               WHERE user_id = $1 AND session_ends_at IS NOT NULL
               ORDER BY id DESC
              OFFSET $2 - 1)
