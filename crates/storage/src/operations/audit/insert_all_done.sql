-- Writes the entries of several requests, with the events of their transaction. Arrays cost more than single values, so
-- insert_done.sql handles one request.
-- One value per entry: $1 organization, $2 id, $3 actor, $4 token, $5 operation, $6 method, $7 path, $8 space, $9 kind
-- and $10 id of the target, $11 address, $12 id of the request. $13 time.
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
SELECT e.organization_id, e.id, 'user', e.actor_id, e.token_id, e.operation, e.method, e.path, e.space_id,
       e.target_type, e.target_id, CAST(e.address AS inet), e.request_id, 'done', $13
  FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       AS e (organization_id, id, actor_id, token_id, operation, method, path, space_id, target_type,
             target_id,
             address, request_id)
