-- Leases renderers with tags to purge, least recently leased first, and returns them with the proxy or host name of
-- their sites. Renderers that other nodes are leasing are skipped. `next_attempt_at` applies only after a failure.
-- $1 time (null for the time of the database), $2 milliseconds of the lease, $3 limit.
UPDATE site_renderers w
   SET leased_until = (SELECT coalesce($1, now())) + $2 * interval '1 millisecond'
  FROM (SELECT h.organization_id, h.site_id
          FROM site_renderers h
         WHERE (h.failures = 0 OR h.next_attempt_at <= coalesce($1, now()))
           AND (h.leased_until IS NULL OR h.leased_until <= coalesce($1, now()))
           AND EXISTS (SELECT 1
                         FROM site_purges p
                        WHERE p.organization_id = h.organization_id AND p.site_id = h.site_id)
         ORDER BY h.leased_until NULLS FIRST
         LIMIT $3
           FOR NO KEY UPDATE SKIP LOCKED) due
  LEFT JOIN sites s ON s.organization_id = due.organization_id AND s.id = due.site_id
 WHERE w.organization_id = due.organization_id AND w.site_id = due.site_id
RETURNING w.organization_id, w.site_id, w.url, w.sealed_secret, w.failures, w.leased_until, w.default_host,
          coalesce(s.proxy_origin, s.hostname) AS host, w.site_deleted
