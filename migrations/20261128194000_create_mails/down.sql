ALTER TABLE email_invites DROP COLUMN mailed_secret_hash;
DROP TABLE mails;
