-- Integrations of other organizations that an organization has installed: id and name. $1 organization.
SELECT i.id, i.name
  FROM integration_installations n
  JOIN integrations i ON i.id = n.integration_id
 WHERE n.organization_id = $1 AND i.organization_id <> $1
 ORDER BY i.id
