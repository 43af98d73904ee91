-- Spaces whose comment counters are wrong.
SELECT format('space %s has %s open comments, not %s, and %s resolved ones, not %s', s.id,
              n.open, s.comments_open, n.resolved, s.comments_resolved)
  FROM spaces s
 CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE status = 'open') AS open,
                            count(*) FILTER (WHERE status = 'resolved') AS resolved
                       FROM comments c
                      WHERE c.space_id = s.id AND c.change_request_id IS NULL) n
 WHERE (s.comments_open, s.comments_resolved) <> (n.open, n.resolved)
