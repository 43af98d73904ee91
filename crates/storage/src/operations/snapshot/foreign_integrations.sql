-- Integrations that an organization has installed and others have published: id and name. $1 organization.
SELECT i.id, i.name
  FROM integration_installations n
  JOIN integrations i ON i.id = n.integration_id
 WHERE n.organization_id = $1 AND i.organization_id <> $1
 ORDER BY i.id
