DROP INDEX audit_entries_refused, audit_entries_time, audit_entries_operation, audit_entries_actor, audit_entries_space, audit_entries_target;
DELETE FROM audit_entries WHERE actor_type = 'system' OR outcome = 'refused';
ALTER TABLE audit_entries
    DROP CONSTRAINT audit_entries_request_check,
    DROP COLUMN actor_type,
    DROP COLUMN outcome,
    ALTER COLUMN token_id SET NOT NULL,
    ALTER COLUMN method SET NOT NULL,
    ALTER COLUMN path SET NOT NULL,
    ALTER COLUMN request_id SET NOT NULL;
CREATE INDEX audit_entries_actor ON audit_entries (actor_id, organization_id, id);
CREATE INDEX audit_entries_space ON audit_entries (organization_id, space_id, id) WHERE space_id IS NOT NULL;
CREATE INDEX audit_entries_target ON audit_entries (organization_id, target_id, id) WHERE target_id IS NOT NULL;
COMMENT ON COLUMN audit_entries.operation IS 'The operation''s id in the API.';
