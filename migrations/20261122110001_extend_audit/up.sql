-- Entries of commands, which have neither user nor request; refused attempts; an index for each filter, in the order of the list.

ALTER TABLE audit_entries
    ALTER COLUMN token_id DROP NOT NULL,
    ALTER COLUMN method DROP NOT NULL,
    ALTER COLUMN path DROP NOT NULL,
    ALTER COLUMN request_id DROP NOT NULL,
    ADD COLUMN actor_type text NOT NULL DEFAULT 'user' CHECK (actor_type IN ('user', 'system')),
    ADD COLUMN outcome text NOT NULL DEFAULT 'done' CHECK (outcome IN ('done', 'refused')),
    ADD CONSTRAINT audit_entries_request_check
        CHECK (num_nulls(token_id, method, path, request_id) = CASE actor_type WHEN 'user' THEN 0 ELSE 4 END);
ALTER TABLE audit_entries ALTER COLUMN actor_type DROP DEFAULT, ALTER COLUMN outcome DROP DEFAULT;
COMMENT ON COLUMN audit_entries.operation IS 'The operation''s id in the API; of a command its name, such as admin.create-user.';
COMMENT ON COLUMN audit_entries.actor_type IS 'A system has no user: who starts the binary on the data may do everything.';

DROP INDEX audit_entries_actor, audit_entries_space, audit_entries_target;
CREATE INDEX audit_entries_time ON audit_entries (organization_id, created_at, id);
CREATE INDEX audit_entries_operation ON audit_entries (organization_id, operation, created_at, id);
CREATE INDEX audit_entries_actor ON audit_entries (actor_id, organization_id, created_at, id);
CREATE INDEX audit_entries_space ON audit_entries (organization_id, space_id, created_at, id) WHERE space_id IS NOT NULL;
CREATE INDEX audit_entries_target ON audit_entries (organization_id, target_id, created_at, id) WHERE target_id IS NOT NULL;

-- One entry for what somebody tries in vain within an hour. It counts these entries of an actor, too.
CREATE UNIQUE INDEX audit_entries_refused ON audit_entries
    (organization_id, actor_id, date_trunc('hour', created_at AT TIME ZONE 'UTC'), operation, coalesce(target_id, ''))
    WHERE outcome = 'refused';
