DROP VIEW
    content_roles, space_roles, installation_access, integration_details, saml_default_teams, team_access,
    site_access, space_access, collection_access, organization_access;
DROP FUNCTION effective_role(smallint, boolean, uuid, uuid, uuid, uuid[], smallint);
