-- Mails about entries of inboxes. Present entries count as mailed.

ALTER TABLE inbox_entries ADD COLUMN mailed_at timestamptz DEFAULT now();
ALTER TABLE inbox_entries ALTER COLUMN mailed_at DROP DEFAULT;
COMMENT ON COLUMN inbox_entries.mailed_at IS 'Time at which a mail about the entry was written; null: none was.';

-- squawk-ignore require-concurrent-index-creation
CREATE INDEX inbox_entries_unmailed ON inbox_entries (created_at) WHERE mailed_at IS NULL AND read_at IS NULL;

ALTER TABLE mails DROP CONSTRAINT mails_kind_check;
-- The table has the mails of a week.
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE mails ADD CONSTRAINT mails_kind_check
    CHECK (kind IN ('invitation', 'sign-in-link', 'password-reset', 'notification', 'digest'));
