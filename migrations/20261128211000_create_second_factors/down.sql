ALTER TABLE api_tokens DROP COLUMN confirmed_at;
DROP TABLE recovery_codes;
DROP TABLE totp_secrets;
