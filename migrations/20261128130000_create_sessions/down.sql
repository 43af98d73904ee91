DELETE FROM api_tokens WHERE session_ends_at IS NOT NULL;
ALTER TABLE api_tokens
    DROP CONSTRAINT api_tokens_session,
    DROP COLUMN session_ends_at,
    DROP COLUMN user_agent,
    DROP COLUMN address;
COMMENT ON TABLE api_tokens IS 'API tokens, looked up by the SHA-256 of the token.';
