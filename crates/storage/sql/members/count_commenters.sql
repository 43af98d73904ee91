-- The number of members who wrote comments or replies in a space.
-- $1 organization, $2 space.
SELECT count(*)
  FROM (SELECT posted_by FROM comments WHERE space_id = $2
         UNION
        SELECT posted_by FROM comment_replies WHERE space_id = $2) people
  JOIN organization_members x ON x.organization_id = $1 AND x.user_id = people.posted_by
  JOIN users u ON u.id = x.user_id
