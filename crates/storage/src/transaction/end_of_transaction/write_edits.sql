-- Inserts the revisions of edits and the new nodes of their trees, and moves the head of the space from the first to
-- the last of them by compare-and-set. Nodes are inserted in the order of their keys, so that two writers of the same
-- rows cannot deadlock. Returns whether the space is connected to a Git repository; no row if the head moved meanwhile.
-- $1 space, $2 hashes and $3 bodies of nodes, $4 revisions, $5 parents, $6 roots, $7 head before, $8 head after, $9
-- authors, $10 times, $11 time of the last edit.
WITH grown AS (
    INSERT INTO tree_nodes AS s (space_id, hash, body)
    SELECT DISTINCT ON (n.hash) $1, n.hash, n.body
      FROM unnest($2, $3) AS n (hash, body)
     ORDER BY n.hash
        ON CONFLICT (space_id, hash) DO UPDATE
       SET amended_by = NULL
     WHERE s.amended_by IS NOT NULL),
made AS (
    INSERT INTO revisions (space_id, id, type, parents, root, author_id, created_at)
    SELECT $1, e.id, 'edits', ARRAY[e.parent], e.root, e.author, e.made_at
      FROM unnest($4, $5, $6, $9, $10) AS e (id, parent, root, author, made_at))
UPDATE spaces
   SET head_revision = $8, updated_at = $11
 WHERE id = $1 AND head_revision = $7
RETURNING git_sync IS NOT NULL
