-- Page of the installations on an organization, newest first, each with the number of its spaces that the reader sees.
-- $1 hash of the reader's token, $2 time, $3 organization, $4 id before which the page starts, $5 limit.
WITH seen AS (
    SELECT id
      FROM space_access
     WHERE token_hash = $1 AND (token_expires_at IS NULL OR token_expires_at > $2)
       AND organization_id = $3 AND deleted_at IS NULL AND is_visible)
SELECT n.id, n.integration_id, i.name AS integration_name, i.target, i.configurations, n.configuration,
       n.external_ids, n.space_selection, n.site_selection,
       CASE n.space_selection
           WHEN 'all' THEN (SELECT count(*) FROM seen)
           ELSE (SELECT count(*)
                   FROM integration_space_installations p
                   JOIN seen ON seen.id = p.space_id
                  WHERE p.organization_id = n.organization_id AND p.installation_id = n.id)
       END AS spaces,
       n.created_at, n.updated_at
  FROM integration_installations n
  JOIN integrations i ON i.id = n.integration_id
 WHERE n.organization_id = $3 AND n.id < $4
 ORDER BY n.id DESC
 LIMIT $5
