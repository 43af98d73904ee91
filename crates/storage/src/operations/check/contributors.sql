-- Authors and creators of change requests who are not among the contributors.
SELECT format('user %s is missing among the contributors of change request %s of space %s', w.user_id,
              w.id, w.space_id)
  FROM (SELECT r.space_id, r.id, r.created_by AS user_id
          FROM change_requests r
         WHERE r.created_by IS NOT NULL
         UNION
        SELECT v.space_id, v.change_request_id, v.author_id
          FROM revisions v
         WHERE v.change_request_id IS NOT NULL AND v.author_id IS NOT NULL) w
 WHERE NOT EXISTS (SELECT
                     FROM change_request_contributors k
                    WHERE k.space_id = w.space_id AND k.change_request_id = w.id AND k.user_id = w.user_id)
