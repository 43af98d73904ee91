-- Change requests whose number of open comments is wrong.
SELECT format('change request %s of space %s has %s open comments, not %s', r.id, r.space_id,
              n.number, r.comments_open)
  FROM change_requests r
 CROSS JOIN LATERAL (SELECT count(*) AS number
                       FROM comments c
                      WHERE c.space_id = r.space_id AND c.change_request_id = r.id AND c.status = 'open') n
 WHERE r.comments_open <> n.number
