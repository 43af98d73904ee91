DROP VIEW content_roles, space_roles, installation_access, integration_details, saml_default_teams, team_access, site_access, space_access, collection_access, organization_access;

CREATE OR REPLACE FUNCTION effective_role(
    member_role smallint, member_disabled boolean, organization uuid, member uuid,
    space uuid, collections uuid[], default_level smallint
) RETURNS TABLE (role smallint) LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN member_disabled IS NULL OR member_disabled THEN NULL
        WHEN member_role = 6 THEN 6::smallint
        ELSE coalesce(
            (SELECT g.role
               FROM content_grants g
              WHERE g.organization_id = organization
                AND (g.space_id = space OR g.collection_id = ANY (collections))
                AND (g.user_id = member OR g.team_id IN (
                        SELECT t.team_id FROM team_members t WHERE t.organization_id = organization AND t.user_id = member))
              ORDER BY (g.space_id IS NOT NULL) DESC, array_position(collections, g.collection_id) DESC, g.role DESC
              LIMIT 1),
            CASE WHEN member_role IS NOT NULL AND default_level IS NOT NULL THEN greatest(member_role, default_level) END)
        END
$$;
