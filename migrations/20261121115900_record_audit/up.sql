-- Who changed what, when and from where: one row a request that changed something, written in its transaction.

CREATE TABLE audit_entries (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    actor_id uuid REFERENCES users (id) ON DELETE SET NULL,
    token_id uuid NOT NULL,
    operation text NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    space_id uuid,
    address inet,
    request_id text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_entries_actor ON audit_entries (actor_id, organization_id, id);
CREATE INDEX audit_entries_space ON audit_entries (organization_id, space_id, id) WHERE space_id IS NOT NULL;
COMMENT ON TABLE audit_entries IS 'Spaces and tokens are named without a foreign key: what was done to them outlives them.';
COMMENT ON COLUMN audit_entries.operation IS 'The operation''s id in the API.';
