UPDATE git_operations SET trigger = 'poll' WHERE trigger = 'hook';
ALTER TABLE git_operations DROP CONSTRAINT git_operations_trigger_check;
ALTER TABLE git_operations ADD CONSTRAINT git_operations_trigger_check CHECK (trigger IN ('setup', 'request', 'poll'));
UPDATE git_installations SET trigger = 'poll' WHERE trigger = 'hook';
ALTER TABLE git_installations DROP CONSTRAINT git_installations_trigger_check;
ALTER TABLE git_installations ADD CONSTRAINT git_installations_trigger_check
    CHECK (trigger IN ('setup', 'request', 'poll'));
ALTER TABLE git_installations DROP COLUMN hook_secret;
