-- Organizations that require a second factor, and sessions that were started with one.

ALTER TABLE organizations ADD COLUMN second_factor_required boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN organizations.second_factor_required IS 'Members act by sessions with a second factor only.';

ALTER TABLE api_tokens ADD COLUMN second_factor boolean NOT NULL DEFAULT false;
ALTER TABLE api_tokens ADD COLUMN second_factor_of uuid;
COMMENT ON COLUMN api_tokens.second_factor IS 'The user of a session has proven a second factor: a code, or a passkey.';
COMMENT ON COLUMN api_tokens.second_factor_of IS
    'Organization whose identity provider asked for a second factor at the sign-in; null: none did.';

CREATE VIEW lacking_sessions AS
SELECT t.id AS token_id
  FROM api_tokens t
 WHERE t.session_ends_at IS NOT NULL AND NOT t.second_factor
   AND EXISTS (SELECT 1
                 FROM organization_members m
                 JOIN organizations o ON o.id = m.organization_id
                WHERE m.user_id = t.user_id AND NOT m.disabled
                  AND o.second_factor_required AND o.id IS DISTINCT FROM t.second_factor_of);
COMMENT ON VIEW lacking_sessions IS
    'Sessions without a second factor that an organization of their user requires. API tokens are never among them.';
