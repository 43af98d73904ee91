-- What ended is forgotten by its age, of all organizations at once.
DROP INDEX webhook_deliveries_age;
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (created_at) WHERE state <> 'pending';
