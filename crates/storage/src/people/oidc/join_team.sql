-- Adds a user to the default team of a provider, if it has one. $1 organization, $2 provider, $3 user.
INSERT INTO team_members (organization_id, team_id, user_id, role)
SELECT t.organization_id, t.team_id, $3, 'member'
  FROM oidc_provider_teams t
 WHERE t.organization_id = $1 AND t.oidc_provider_id = $2
    ON CONFLICT DO NOTHING
