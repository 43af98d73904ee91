-- Writes a delivery of each event for each active webhook that is subscribed to it. Events of the kind `purge` are for
-- the renderers of sites. The subqueries hide the lengths of
-- the arrays from the planner, which would plan each length for itself.
-- $1 organizations, $2 kinds, $3 ids and $4 payloads of the events, $5 attempts left, $6 time.
WITH purged AS (
    INSERT INTO site_purges (organization_id, site_id, tag, id)
    SELECT DISTINCT ON (r.organization_id, r.site_id, e.payload ->> 'tag')
           r.organization_id, r.site_id, e.payload ->> 'tag', e.id
      FROM unnest((SELECT $1), (SELECT $2), (SELECT $3), (SELECT $4))
           AS e (organization_id, kind, id, payload)
      JOIN site_renderers r ON r.organization_id = e.organization_id
     WHERE e.kind = 'purge'
       AND (e.payload ->> 'site' IS NULL OR r.site_id = CAST(e.payload ->> 'site' AS uuid))
       AND (e.payload ->> 'space' IS NULL
            OR EXISTS (SELECT 1
                         FROM site_spaces p
                        WHERE p.organization_id = r.organization_id AND p.site_id = r.site_id
                          AND p.space_id = CAST(e.payload ->> 'space' AS uuid)))
     ORDER BY r.organization_id, r.site_id, e.payload ->> 'tag', e.id DESC
        ON CONFLICT (organization_id, site_id, tag) DO UPDATE SET id = excluded.id)
INSERT INTO webhook_deliveries
       (organization_id, webhook_id, id, kind, payload, state, tries_left, next_attempt_at, created_at)
SELECT w.organization_id, w.id, e.id, e.kind, e.payload, 'pending', $5, $6, $6
  FROM unnest((SELECT $1), (SELECT $2), (SELECT $3), (SELECT $4)) AS e (organization_id, kind, id, payload)
  JOIN webhooks w ON w.organization_id = e.organization_id AND e.kind = ANY (w.events)
 WHERE w.active
