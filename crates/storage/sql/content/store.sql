-- Stores documents and nodes of trees that are not stored yet, in one statement for both tables. Rows are inserted in
-- the order of their keys, so that two writers of the same rows never wait for each other in a circle.
-- $1 space, $2 ids, $3 bodies, $4 anchors, $5 links and $6 tags of documents, $7 hashes and $8 bodies of
-- nodes.
WITH stored AS (
    INSERT INTO documents (space_id, id, body, anchors, links, tags)
    SELECT $1, d.id, d.body, d.anchors, d.links, d.tags
      FROM unnest($2, $3, $4, $5, $6) AS d (id, body, anchors, links, tags)
     ORDER BY d.id
        ON CONFLICT DO NOTHING)
INSERT INTO tree_nodes (space_id, hash, body)
SELECT $1, n.hash, n.body
  FROM unnest($7, $8) AS n (hash, body)
 ORDER BY n.hash
    ON CONFLICT DO NOTHING
