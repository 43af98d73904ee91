-- Webhooks: where an organization wants to hear of what happens, and what is, or was, to be told.

CREATE TABLE webhooks (
    organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    url text NOT NULL,
    description text,
    events text[] NOT NULL,
    active boolean NOT NULL,
    secret_version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    leased_until timestamptz,
    PRIMARY KEY (organization_id, id)
);
COMMENT ON COLUMN webhooks.secret_version IS 'The secret is made from the deployment''s key, the id and this: nothing to steal is stored.';
COMMENT ON COLUMN webhooks.leased_until IS 'Until when a node delivers to it: one node at a time, so that a slow receiver holds up nobody else.';

CREATE TABLE webhook_deliveries (
    organization_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    payload jsonb NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'succeeded', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    tries_left integer NOT NULL,
    next_attempt_at timestamptz NOT NULL,
    last_attempt_at timestamptz,
    last_status integer,
    last_error text,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, webhook_id, id),
    FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (organization_id, webhook_id, next_attempt_at) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (organization_id, created_at) WHERE state <> 'pending';
COMMENT ON COLUMN webhook_deliveries.id IS 'The id of the event: the same in each webhook that is told of it.';
