-- Sets the default team of an OpenID Connect provider. Writes no row if the team does not exist.
-- $1 organization, $2 provider, $3 team.
INSERT INTO oidc_provider_teams (organization_id, oidc_provider_id, team_id)
SELECT organization_id, $2, id
  FROM teams
 WHERE organization_id = $1 AND id = $3
   FOR KEY SHARE
    ON CONFLICT (organization_id, oidc_provider_id) DO UPDATE SET team_id = excluded.team_id
