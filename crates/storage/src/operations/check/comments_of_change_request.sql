-- Change requests whose comment counters are wrong.
SELECT format('change request %s of space %s has %s open comments, not %s, and %s resolved ones, not %s',
              r.id, r.space_id, n.open, r.comments_open, n.resolved, r.comments_resolved)
  FROM change_requests r
 CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE status = 'open') AS open,
                            count(*) FILTER (WHERE status = 'resolved') AS resolved
                       FROM comments c
                      WHERE c.space_id = r.space_id AND c.change_request_id = r.id) n
 WHERE (r.comments_open, r.comments_resolved) <> (n.open, n.resolved)
