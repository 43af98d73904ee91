-- Writes the entry of a refused request, at most once an hour for the same attempt and sixty times an hour per actor,
-- so that refused attempts do not bury completed operations.
-- $1 organizations, $2 the id of the entry of each, $3 actor, $4 token or null, $5 operation, $6 method, $7 path, $8
-- space, $9 kind and $10 id of the target, $11 address, $12 id of the request, $13 time.
INSERT INTO audit_entries
    (organization_id, id, actor_type, actor_id, token_id, operation, method, path, space_id,
     target_type, target_id, address, request_id, outcome, created_at)
SELECT e.organization_id, e.id, 'user', $3, $4, $5, $6, $7, $8, $9, $10, CAST($11 AS inet), $12,
       'refused', $13
  FROM unnest($1, $2) AS e (organization_id, id)
 WHERE (SELECT count(*)
          FROM audit_entries r
         WHERE r.organization_id = e.organization_id AND r.actor_id = $3 AND r.outcome = 'refused'
           AND date_trunc('hour', r.created_at AT TIME ZONE 'UTC') =
               date_trunc('hour', $13 AT TIME ZONE 'UTC')) < 60
    ON CONFLICT DO NOTHING
