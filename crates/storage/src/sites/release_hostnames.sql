-- Removes locked host names that no site of their organization uses, except those that the operator assigned.
-- $1 organization, $2 host names.
DELETE FROM site_hostnames h
 WHERE h.organization_id = $1 AND h.hostname = ANY ($2) AND h.verified_by IS DISTINCT FROM 'operator'
   AND NOT EXISTS (SELECT 1
                     FROM sites w
                    WHERE w.organization_id = h.organization_id
                      AND h.hostname IN (w.hostname, w.pending_hostname,
                                         split_part(w.proxy_origin, '/', 1),
                                         split_part(w.pending_proxy_origin, '/', 1)))
