ALTER TABLE organizations DROP COLUMN visitor_key;
