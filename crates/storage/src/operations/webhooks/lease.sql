-- Leases webhooks with a due delivery, least recently leased first, and returns them. Webhooks that other nodes are
-- leasing are skipped.
-- $1 time (null for the time of the database), $2 milliseconds of the lease, $3 limit.
UPDATE webhooks w
   SET leased_until = (SELECT coalesce($1, now())) + $2 * interval '1 millisecond'
  FROM (SELECT h.organization_id, h.id
          FROM webhooks h
         WHERE (h.leased_until IS NULL OR h.leased_until <= coalesce($1, now()))
           AND EXISTS (SELECT 1
                         FROM webhook_deliveries d
                        WHERE d.organization_id = h.organization_id AND d.webhook_id = h.id
                          AND d.state = 'pending' AND d.next_attempt_at <= coalesce($1, now()))
         ORDER BY h.leased_until NULLS FIRST
         LIMIT $3
           FOR NO KEY UPDATE SKIP LOCKED) due
 WHERE w.organization_id = due.organization_id AND w.id = due.id
RETURNING w.organization_id, w.id, w.url, w.secret_version, w.leased_until
