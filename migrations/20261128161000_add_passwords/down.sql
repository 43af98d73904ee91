DELETE FROM audit_entries WHERE actor_type = 'user' AND token_id IS NULL;
ALTER TABLE audit_entries
    DROP CONSTRAINT audit_entries_request_check,
    ADD CONSTRAINT audit_entries_request_check
        CHECK (num_nulls(token_id, method, path, request_id) = CASE actor_type WHEN 'user' THEN 0 ELSE 4 END);
ALTER TABLE users
    DROP COLUMN password_hash,
    DROP COLUMN login_email;
