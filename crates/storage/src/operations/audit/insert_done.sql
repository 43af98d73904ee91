-- Writes the entry of a request to the logs of some organizations, with the events of its transaction.
-- $1 organizations, $2 the id of the entry of each, $3 actor, $4 token, $5 operation, $6 method, $7 path, $8 space, $9
-- kind and $10 id of the target, $11 address, $12 id of the request, $13 time.
-- $14 to $17 organization, kind, id and payload of each event, $18 maximum number of attempts of a delivery.
-- Subqueries hide the lengths of the arrays from the planner, which would otherwise make a plan for each length.
WITH delivered AS (
    INSERT INTO webhook_deliveries
           (organization_id, webhook_id, id, kind, payload, state, tries_left, next_attempt_at, created_at)
    SELECT w.organization_id, w.id, e.id, e.kind, e.payload, 'pending', $18, $13, $13
      FROM unnest((SELECT $14), (SELECT $15), (SELECT $16), (SELECT $17))
           AS e (organization_id, kind, id, payload)
      JOIN webhooks w ON w.organization_id = e.organization_id AND e.kind = ANY (w.events)
     WHERE w.active)
INSERT INTO audit_entries
    (organization_id, id, actor_type, actor_id, token_id, operation, method, path, space_id,
     target_type, target_id, address, request_id, outcome, created_at)
SELECT e.organization_id, e.id, 'user', $3, $4, $5, $6, $7, $8, $9, $10, CAST($11 AS inet), $12, 'done', $13
  FROM unnest($1, $2) AS e (organization_id, id)
