ALTER TABLE organizations DROP COLUMN billing_migration;
