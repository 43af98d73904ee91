ALTER TABLE audit_entries DROP COLUMN target_type, DROP COLUMN target_id;
