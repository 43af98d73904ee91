-- Makes pending addresses with proven host names of an organization's sites take effect, and returns the sites.
-- $1 organization, $2 host names.
UPDATE sites w
   SET hostname = CASE WHEN w.pending_hostname = ANY ($2) THEN w.pending_hostname ELSE w.hostname END,
       pending_hostname = CASE WHEN w.pending_hostname <> ALL ($2) THEN w.pending_hostname END,
       proxy_origin = CASE WHEN split_part(w.pending_proxy_origin, '/', 1) = ANY ($2)
                           THEN w.pending_proxy_origin
                           ELSE w.proxy_origin END,
       pending_proxy_origin = CASE WHEN split_part(w.pending_proxy_origin, '/', 1) <> ALL ($2)
                                   THEN w.pending_proxy_origin END
 WHERE w.organization_id = $1
   AND (w.pending_hostname = ANY ($2) OR split_part(w.pending_proxy_origin, '/', 1) = ANY ($2))
RETURNING w.id
