-- Removes a host name from the sites of an organization, and returns the sites.
-- $1 organization, $2 host name.
UPDATE sites w
   SET hostname = nullif(w.hostname, $2),
       pending_hostname = nullif(w.pending_hostname, $2),
       proxy_origin = CASE WHEN split_part(w.proxy_origin, '/', 1) <> $2 THEN w.proxy_origin END,
       pending_proxy_origin =
           CASE WHEN split_part(w.pending_proxy_origin, '/', 1) <> $2 THEN w.pending_proxy_origin END
 WHERE w.organization_id = $1
   AND $2 IN (w.hostname, w.pending_hostname, split_part(w.proxy_origin, '/', 1),
              split_part(w.pending_proxy_origin, '/', 1))
RETURNING w.id
