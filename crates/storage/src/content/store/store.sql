-- Stores documents and tree nodes that are not stored yet, in one statement for both tables. Rows are inserted in the
-- order of their keys, so that two writers of the same rows cannot deadlock. Rows that belong to the amended revisions
-- of a change request become shared when another writer stores them.
-- $1 space, $2 ids, $3 bodies, $4 anchors, $5 links and $6 tags of documents, $7 hashes and $8 bodies of nodes, $9
-- change request whose revision is amended.
WITH stored AS (
    INSERT INTO documents AS s (space_id, id, body, anchors, links, tags, amended_by)
    SELECT DISTINCT ON (d.id) $1, d.id, d.body, d.anchors, d.links, d.tags, $9
      FROM unnest($2, $3, $4, $5, $6) AS d (id, body, anchors, links, tags)
     ORDER BY d.id
        ON CONFLICT (space_id, id) DO UPDATE
       SET amended_by = NULL
     WHERE s.amended_by IS NOT NULL AND s.amended_by IS DISTINCT FROM excluded.amended_by)
INSERT INTO tree_nodes AS s (space_id, hash, body, amended_by)
SELECT DISTINCT ON (n.hash) $1, n.hash, n.body, $9
  FROM unnest($7, $8) AS n (hash, body)
 ORDER BY n.hash
    ON CONFLICT (space_id, hash) DO UPDATE
   SET amended_by = NULL
 WHERE s.amended_by IS NOT NULL AND s.amended_by IS DISTINCT FROM excluded.amended_by
