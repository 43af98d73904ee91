-- Deletes a batch of expired idempotency keys.
-- $1 time before which keys have expired, $2 limit.
DELETE FROM idempotency_keys
 WHERE ctid = ANY (ARRAY (SELECT ctid
                            FROM idempotency_keys
                           WHERE created_at <= $1
                           LIMIT $2))
