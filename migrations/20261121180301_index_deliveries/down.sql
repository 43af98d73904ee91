DROP INDEX webhook_deliveries_ended;
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (organization_id, created_at) WHERE state <> 'pending';
