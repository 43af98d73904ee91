-- Spaces whose number of open comments is wrong.
SELECT format('space %s has %s open comments, not %s', s.id, n.number, s.comments_open)
  FROM spaces s
 CROSS JOIN LATERAL (SELECT count(*) AS number
                       FROM comments c
                      WHERE c.space_id = s.id AND c.change_request_id IS NULL AND c.status = 'open') n
 WHERE s.comments_open <> n.number
