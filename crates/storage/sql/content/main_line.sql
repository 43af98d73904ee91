-- Revisions from one on, each followed by its first parent: the id, the origin, the author, the time and the parent.
-- $1 space, $2 revision, $3 number of revisions.
WITH RECURSIVE line AS (
    SELECT r.id, r.type, r.author_id, r.created_at, r.parents[1] AS parent, 1 AS place
      FROM revisions r
     WHERE r.space_id = $1 AND r.id = $2
     UNION ALL
    SELECT r.id, r.type, r.author_id, r.created_at, r.parents[1], l.place + 1
      FROM line l
      JOIN revisions r ON r.space_id = $1 AND r.id = l.parent
     WHERE l.place < $3)
SELECT l.id, l.type, l.author_id, l.created_at, l.parent
  FROM line l
 ORDER BY l.place
