-- Sessions of browsers: tokens that a cookie carries, so that every lookup finds them like the tokens of programs.

ALTER TABLE api_tokens
    ADD COLUMN session_ends_at timestamptz,
    ADD COLUMN user_agent text,
    ADD COLUMN address inet,
    ADD CONSTRAINT api_tokens_session CHECK (
        CASE WHEN session_ends_at IS NULL THEN num_nonnulls(user_agent, address) = 0
             ELSE expires_at IS NOT NULL AND expires_at <= session_ends_at
                  AND NOT read_only AND organizations IS NULL
        END);

COMMENT ON TABLE api_tokens IS 'API tokens and sessions of browsers, looked up by the SHA-256 of their secrets.';
COMMENT ON COLUMN api_tokens.session_ends_at IS
    'Time after which a session is not extended by its use; null: an API token.';
COMMENT ON COLUMN api_tokens.user_agent IS 'Browser that the session was started in.';
COMMENT ON COLUMN api_tokens.address IS 'Client address that the session was started from.';
