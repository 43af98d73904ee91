DROP VIEW lacking_sessions;
ALTER TABLE api_tokens DROP COLUMN second_factor_of;
ALTER TABLE api_tokens DROP COLUMN second_factor;
ALTER TABLE organizations DROP COLUMN second_factor_required;
