DELETE FROM audit_entries WHERE actor_type = 'scim';
ALTER TABLE audit_entries
    DROP CONSTRAINT audit_entries_actor_type_check,
    DROP CONSTRAINT audit_entries_request_check,
    ADD CONSTRAINT audit_entries_actor_type_check CHECK (actor_type IN ('user', 'system')),
    ADD CONSTRAINT audit_entries_request_check CHECK (
        CASE actor_type WHEN 'user' THEN num_nulls(method, path, request_id) = 0
                                         AND (token_id IS NOT NULL OR outcome = 'refused')
                        ELSE num_nonnulls(token_id, method, path, request_id) = 0 END);
DROP TABLE scim_groups;
DROP TABLE scim_users;
DROP TABLE scim_tokens;
