-- Spaces whose change request counters are wrong.
SELECT format('space %s has %s change requests, %s open and %s drafts, not %s, %s and %s', s.id,
              n.total, n.open, n.draft, s.change_requests, s.change_requests_open, s.change_requests_draft)
  FROM spaces s
 CROSS JOIN LATERAL (SELECT count(*) AS total,
                            count(*) FILTER (WHERE r.status = 'open') AS open,
                            count(*) FILTER (WHERE r.status = 'draft') AS draft
                       FROM change_requests r
                      WHERE r.space_id = s.id) n
 WHERE (s.change_requests, s.change_requests_open, s.change_requests_draft) <> (n.total, n.open, n.draft)
