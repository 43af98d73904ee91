-- Returns whether a job of each of two groups of kinds is due, and whether a webhook delivery is due. Leased jobs and
-- webhooks are not due before their lease ends.
-- $1 time (null for the time of the database), $2 kinds of the first group, $3 of the second.
SELECT EXISTS (SELECT 1
                 FROM jobs
                WHERE given_up_at IS NULL AND run_at <= coalesce($1, now())
                  AND (leased_until IS NULL OR leased_until <= coalesce($1, now())) AND kind = ANY ($2)),
       EXISTS (SELECT 1
                 FROM jobs
                WHERE given_up_at IS NULL AND run_at <= coalesce($1, now())
                  AND (leased_until IS NULL OR leased_until <= coalesce($1, now())) AND kind = ANY ($3)),
       EXISTS (SELECT 1
                 FROM webhooks h
                WHERE (h.leased_until IS NULL OR h.leased_until <= coalesce($1, now()))
                  AND EXISTS (SELECT 1
                                FROM webhook_deliveries d
                               WHERE d.organization_id = h.organization_id AND d.webhook_id = h.id
                                 AND d.state = 'pending' AND d.next_attempt_at <= coalesce($1, now())))
