-- Writes the audit log entry of a request of an identity provider.
-- $1 organization, $2 id of the entry, $3 operation, $4 method, $5 path, $6 kind and $7 id of the target, $8 address,
-- $9 id of the request, $10 time.
INSERT INTO audit_entries
    (organization_id, id, actor_type, operation, method, path, target_type, target_id, address, request_id,
     outcome, created_at)
VALUES ($1, $2, 'scim', $3, $4, $5, $6, $7, CAST($8 AS inet), $9, 'done', $10)
