-- Writes the entry for a person whose account was not created, at most once an hour per invite. It has no user.
-- $1 organization, $2 id of the entry, $3 operation, $4 method, $5 path, $6 invite, $7 address, $8 id of the request,
-- $9 time.
INSERT INTO audit_entries
    (organization_id, id, actor_type, operation, method, path, target_type, target_id, address, request_id,
     outcome, created_at)
SELECT $1, $2, 'user', $3, $4, $5, 'invite', $6, CAST($7 AS inet), $8, 'refused', $9
 WHERE NOT EXISTS (
           SELECT 1
             FROM audit_entries r
            WHERE r.organization_id = $1 AND r.target_id = $6 AND r.operation = $3 AND r.outcome = 'refused'
              AND r.created_at >= date_trunc('hour', $9 AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')
