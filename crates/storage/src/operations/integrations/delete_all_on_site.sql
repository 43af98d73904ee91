-- Deletes the installations on a site. Returns the ids of the corresponding installations on the organization, and the
-- names of their integrations.
-- $1 organization, $2 site.
DELETE FROM integration_site_installations p
 USING integration_installations n
  JOIN integrations i ON i.id = n.integration_id
 WHERE p.organization_id = $1 AND p.site_id = $2
   AND n.organization_id = p.organization_id AND n.id = p.installation_id
RETURNING n.id, i.name
