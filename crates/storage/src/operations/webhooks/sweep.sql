-- Deletes a batch of deliveries that are not pending and were created before a time.
-- $1 time, $2 limit.
DELETE FROM webhook_deliveries
 WHERE ctid = ANY (ARRAY (SELECT ctid
                            FROM webhook_deliveries
                           WHERE state <> 'pending' AND created_at < $1
                           LIMIT $2))
