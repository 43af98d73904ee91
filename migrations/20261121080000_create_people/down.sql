DROP TABLE team_members, teams, organization_members, organizations, api_tokens, users, deployment_keys;
DROP EXTENSION unaccent;
DROP EXTENSION pg_trgm;
