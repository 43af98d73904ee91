-- Writes a delivery of each event for each active webhook that subscribes to it. The subqueries hide the lengths of the
-- arrays from the planner, which would otherwise make a plan for each length.
-- $1 organizations, $2 kinds, $3 ids and $4 payloads of the events, $5 number of attempts, $6 time, $7 time from which
-- they are due (null for the time of the database).
INSERT INTO webhook_deliveries
       (organization_id, webhook_id, id, kind, payload, state, tries_left, next_attempt_at, created_at)
SELECT w.organization_id, w.id, e.id, e.kind, e.payload, 'pending', $5, (SELECT coalesce($7, now())), $6
  FROM unnest((SELECT $1), (SELECT $2), (SELECT $3), (SELECT $4)) AS e (organization_id, kind, id, payload)
  JOIN webhooks w ON w.organization_id = e.organization_id AND e.kind = ANY (w.events)
 WHERE w.active
