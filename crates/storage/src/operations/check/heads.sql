-- Heads that are not the last revision of their space or change request.
SELECT format('the head of space %s is revision %s, which another revision follows', s.id, s.head_revision)
  FROM spaces s
  JOIN revisions v
    ON v.space_id = s.id AND v.change_request_id IS NULL AND v.parents[1] = s.head_revision
        AND NOT v.standalone
 UNION ALL
SELECT format('the head of change request %s of space %s is revision %s, which another revision follows',
              r.id, r.space_id, r.head_revision)
  FROM change_requests r
  JOIN revisions v
    ON v.space_id = r.space_id AND v.change_request_id = r.id AND v.parents[1] = r.head_revision
