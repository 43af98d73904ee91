-- State of several heads, each with the users who have it open. A head that no longer exists has no revision. The first
-- row belongs to no head; it has the hashes of valid tokens, and the states of inboxes and imports. The subqueries
-- around the arrays hide their lengths from the planner, so that one plan serves all lengths.
-- $1 spaces, $2 change requests (null for the main content), $3 hashes of tokens, $4 time, $5 users of inboxes, $6
-- spaces of imports, $7 imports.
SELECT w.key,
       CASE WHEN w.change_request_id IS NULL THEN s.head_revision ELSE c.head_revision END,
       coalesce(c.comments_open, s.comments_open, 0),
       coalesce(c.comments_resolved, s.comments_resolved, 0),
       coalesce(c.comment_changes, s.comment_changes, 0),
       c.status,
       c.revision_merged IS NULL
           AND coalesce(c.revision_merged_ancestor, c.revision_initial) <> s.head_revision,
       (SELECT count(*) FROM change_request_reviews r
         WHERE r.space_id = w.space_id AND r.change_request_id = w.change_request_id),
       (SELECT count(*) FROM change_request_reviewers r
         WHERE r.space_id = w.space_id AND r.change_request_id = w.change_request_id),
       (SELECT jsonb_agg(to_jsonb(p) ORDER BY p.id)
          FROM (SELECT u.id, u.email, u.display_name, u.photo_url, o.page_id, o.block, o.typing
                  FROM presences o
                  JOIN users u ON u.id = o.user_id
                 WHERE o.space_id = w.space_id AND o.head_id = coalesce(w.change_request_id, w.space_id)
                   AND o.expires_at > $4
                 ORDER BY o.user_id
                 LIMIT 50) AS p),
       CASE WHEN w.key = 0
            THEN ARRAY(SELECT t.hash FROM api_tokens t
                        WHERE t.hash = ANY ($3) AND (t.expires_at IS NULL OR t.expires_at > $4)
                          AND NOT EXISTS (SELECT FROM lacking_sessions l WHERE l.token_id = t.id))
       END,
       CASE WHEN w.key = 0
            THEN (SELECT jsonb_object_agg(n.user_id,
                                          jsonb_build_object('newest', i.newest, 'unread', i.unread))
                    FROM unnest((SELECT $5)) AS n (user_id)
                   CROSS JOIN LATERAL (
                         SELECT (array_agg(e.id))[1] AS newest, count(*) AS unread
                           FROM (SELECT x.id
                                   FROM inbox_entries x
                                  WHERE x.user_id = n.user_id AND x.read_at IS NULL
                                  ORDER BY x.id DESC
                                  LIMIT 1000) AS e) AS i)
       END,
       CASE WHEN w.key = 0
            THEN (SELECT jsonb_object_agg(i.id,
                             jsonb_build_object(
                                 'state', i.status, 'phase', i.phase,
                                 'progress', jsonb_build_object('done', i.done, 'total', i.total)))
                    FROM unnest((SELECT $6), (SELECT $7)) AS n (space_id, id)
                    JOIN imports i ON i.space_id = n.space_id AND i.id = n.id)
       END
  FROM (SELECT h.space_id, h.change_request_id, h.key
          FROM unnest((SELECT $1), (SELECT $2)) WITH ORDINALITY AS h (space_id, change_request_id, key)
         UNION ALL
        SELECT NULL, NULL, 0) AS w
  LEFT JOIN spaces s ON s.id = w.space_id AND s.deleted_at IS NULL
  LEFT JOIN change_requests c
    ON c.space_id = s.id AND c.id = w.change_request_id
 ORDER BY w.key
