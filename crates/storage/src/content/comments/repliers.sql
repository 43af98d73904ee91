-- Users who replied to comments, in the order of their first replies. Removed users are counted as one user.
-- $1 space, $2 comments.
SELECT r.comment_id, r.replies, r.updated_at, u.id, u.email, u.display_name, u.photo_url
  FROM (SELECT comment_id, posted_by, count(*) AS replies, min(posted_at) AS first,
               max(coalesce(edited_at, posted_at)) AS updated_at
          FROM comment_replies
         WHERE space_id = $1 AND comment_id = ANY ($2)
         GROUP BY comment_id, posted_by) r
  LEFT JOIN users u ON u.id = r.posted_by
 ORDER BY r.comment_id, r.first, r.posted_by
