ALTER TABLE organizations ADD COLUMN billing_migration jsonb;
COMMENT ON COLUMN organizations.billing_migration IS 'The move to another system of billing that it has before it: deadline, discountPercent, discountEndDate.';
