-- Stores the response of a request with an idempotency key, replacing an expired one. Changes no row if the key has a
-- valid response.
-- $1 user, $2 key, $3 token, $4 hash of the request, $5 hash of its body, $6 size of its body, $7 response, $8 time, $9
-- time before which responses have expired, $10 resources of the request, $11 role of the user on each.
INSERT INTO idempotency_keys AS kept
       (user_id, key, token_id, request, body, body_size, answer, created_at, places, roles)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $10, $11)
    ON CONFLICT (user_id, key) DO UPDATE
   SET token_id = excluded.token_id, request = excluded.request, body = excluded.body,
       body_size = excluded.body_size, answer = excluded.answer, created_at = excluded.created_at,
       places = excluded.places, roles = excluded.roles
 WHERE kept.created_at <= $9
