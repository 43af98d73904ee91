-- Webhooks of servers of repositories, which report changes.
ALTER TABLE git_installations ADD COLUMN hook_secret bytea;
COMMENT ON COLUMN git_installations.hook_secret IS
    'Secret of the webhook of the repository, sealed with the key `git` of the deployment; null: none.';

-- No release has these tables, and each connection has few rows.
ALTER TABLE git_installations DROP CONSTRAINT git_installations_trigger_check;
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE git_installations ADD CONSTRAINT git_installations_trigger_check
    CHECK (trigger IN ('setup', 'request', 'poll', 'hook'));
ALTER TABLE git_operations DROP CONSTRAINT git_operations_trigger_check;
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE git_operations ADD CONSTRAINT git_operations_trigger_check
    CHECK (trigger IN ('setup', 'request', 'poll', 'hook'));
