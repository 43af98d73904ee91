DELETE FROM mails WHERE kind IN ('notification', 'digest');
ALTER TABLE mails DROP CONSTRAINT mails_kind_check;
ALTER TABLE mails ADD CONSTRAINT mails_kind_check CHECK (kind IN ('invitation', 'sign-in-link', 'password-reset'));
ALTER TABLE inbox_entries DROP COLUMN mailed_at;
