-- Contributors of change requests whose number of revisions is wrong.
SELECT format('user %s has %s revisions in change request %s of space %s, not %s', k.user_id, n.number,
              k.change_request_id, k.space_id, k.revisions)
  FROM change_request_contributors k
 CROSS JOIN LATERAL (SELECT count(*) AS number
                       FROM revisions r
                      WHERE r.space_id = k.space_id
                        AND r.change_request_id = k.change_request_id
                        AND r.author_id = k.user_id
                        AND r.replaced_at IS NULL) n
 WHERE k.revisions <> n.number
