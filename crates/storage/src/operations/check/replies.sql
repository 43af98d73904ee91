-- Comments whose number of replies is wrong.
SELECT format('comment %s of space %s has %s replies, not %s', c.id, c.space_id, n.number, c.replies)
  FROM comments c
 CROSS JOIN LATERAL (SELECT count(*) AS number
                       FROM comment_replies p
                      WHERE p.space_id = c.space_id AND p.comment_id = c.id) n
 WHERE c.replies <> n.number
