-- Writes a failed delivery attempt, unless another holder has ended the delivery. After a permanent failure, the
-- remaining attempts are dropped.
-- $1 organization, $2 webhook, $3 event, $4 true if another attempt can succeed, $5 time of this one, $6 HTTP status,
-- $7 error, $8 start of the pause (null for the time of the database), $9 milliseconds until the next attempt.
UPDATE webhook_deliveries
   SET state = CASE WHEN $4 AND tries_left > 1 THEN 'pending' ELSE 'failed' END,
       attempts = attempts + 1, tries_left = tries_left - 1,
       last_attempt_at = $5, last_status = $6, last_error = $7,
       next_attempt_at = (SELECT coalesce($8, now())) + $9 * interval '1 millisecond'
 WHERE organization_id = $1 AND webhook_id = $2 AND id = $3 AND state = 'pending'
