-- Organizations that a token concerns: those of its user, or the subset to which the token is limited. $1 token.
SELECT m.organization_id
  FROM api_tokens t
  JOIN organization_members m ON m.user_id = t.user_id
 WHERE t.id = $1 AND (t.organizations IS NULL OR m.organization_id = ANY (t.organizations))
 ORDER BY m.organization_id
