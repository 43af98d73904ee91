DROP TABLE oidc_identities;
DROP TABLE oidc_provider_teams;
DROP TABLE oidc_providers;
