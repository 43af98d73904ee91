-- Writes a delivery of each event for each active webhook that is subscribed to it. The subqueries hide
-- the lengths of the arrays from the planner, which would plan each length for itself.
-- $1 organizations, $2 kinds, $3 ids and $4 payloads of the events, $5 attempts left, $6 time,
-- $7 time from which they are due, null for that of the database.
INSERT INTO webhook_deliveries
       (organization_id, webhook_id, id, kind, payload, state, tries_left, next_attempt_at, created_at)
SELECT w.organization_id, w.id, e.id, e.kind, e.payload, 'pending', $5, (SELECT coalesce($7, now())), $6
  FROM unnest((SELECT $1), (SELECT $2), (SELECT $3), (SELECT $4)) AS e (organization_id, kind, id, payload)
  JOIN webhooks w ON w.organization_id = e.organization_id AND e.kind = ANY (w.events)
 WHERE w.active
