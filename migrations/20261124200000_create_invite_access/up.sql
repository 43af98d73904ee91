-- Authorization of invite links as a relation, like the other views of access.

CREATE VIEW invite_access AS
SELECT t.id AS token_id, t.hash AS token_hash, t.expires_at AS token_expires_at,
       t.user_id AS actor_id, t.read_only, t.last_used_at,
       i.organization_id, i.id, i.seed, i.role, i.space_id, i.collection_id,
       m.role AS member_role, m.disabled AS member_disabled, er.role AS content_role,
       o.invite_links, o.blocked_reason IS NOT NULL AS organization_is_blocked
  FROM api_tokens t
  JOIN organization_invites i ON t.organizations IS NULL OR i.organization_id = ANY (t.organizations)
  JOIN organizations o ON o.id = i.organization_id
  LEFT JOIN organization_members m ON m.organization_id = i.organization_id AND m.user_id = t.user_id
  LEFT JOIN spaces s ON s.organization_id = i.organization_id AND s.id = i.space_id
  LEFT JOIN collections c
    ON c.organization_id = i.organization_id AND c.id = coalesce(i.collection_id, s.collection_id)
  LEFT JOIN LATERAL effective_role(
           m.role, m.disabled, i.organization_id, t.user_id, i.space_id, c.path,
           CASE WHEN i.space_id IS NULL THEN c.default_level ELSE s.default_level END) er
    ON i.space_id IS NOT NULL OR i.collection_id IS NOT NULL
 WHERE s.deleted_at IS NULL;
COMMENT ON VIEW invite_access IS 'Invite links of the organizations of a token, except those to deleted spaces.';
COMMENT ON COLUMN invite_access.role IS 'Rank of the role that the invite gives; null for a guest.';
COMMENT ON COLUMN invite_access.member_disabled IS 'Null if the user of the token is not a member.';
COMMENT ON COLUMN invite_access.content_role IS 'Rank of the user''s role on the space or collection of the invite; null for none, and for invites to an organization.';
