-- What a change was made to, or what it made: an id in the path says the one, nothing said the other.
ALTER TABLE audit_entries
    ADD COLUMN target_type text,
    ADD COLUMN target_id text,
    ADD CONSTRAINT audit_entries_target_check CHECK ((target_type IS NULL) = (target_id IS NULL));
CREATE INDEX audit_entries_target ON audit_entries (organization_id, target_id, id) WHERE target_id IS NOT NULL;
COMMENT ON COLUMN audit_entries.target_id IS 'Without a foreign key, as spaces are named: what was done to it outlives it. A slug or a name where there is no other id.';
