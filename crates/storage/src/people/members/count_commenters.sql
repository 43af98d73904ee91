-- Number of members who wrote comments or replies in a space. Authors are read one by one from the indexes by space and
-- author, so the cost does not depend on the number of comments.
-- $1 organization, $2 space.
WITH RECURSIVE commenters AS (
    (SELECT posted_by FROM comments WHERE space_id = $2 ORDER BY posted_by LIMIT 1)
     UNION ALL
    SELECT (SELECT posted_by FROM comments
             WHERE space_id = $2 AND posted_by > last.posted_by ORDER BY posted_by LIMIT 1)
      FROM commenters last
     WHERE last.posted_by IS NOT NULL),
repliers AS (
    (SELECT posted_by FROM comment_replies WHERE space_id = $2 ORDER BY posted_by LIMIT 1)
     UNION ALL
    SELECT (SELECT posted_by FROM comment_replies
             WHERE space_id = $2 AND posted_by > last.posted_by ORDER BY posted_by LIMIT 1)
      FROM repliers last
     WHERE last.posted_by IS NOT NULL),
people AS (
    SELECT posted_by FROM commenters
     UNION
    SELECT posted_by FROM repliers)
SELECT count(*)
  FROM people
  JOIN organization_members x ON x.organization_id = $1 AND x.user_id = people.posted_by
  JOIN users u ON u.id = x.user_id
