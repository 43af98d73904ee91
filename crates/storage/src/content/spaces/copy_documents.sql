-- Copies documents to another space.
-- $1 space to copy to, $2 space to copy from, $3 documents.
INSERT INTO documents (space_id, id, body, anchors, links, tags)
SELECT $1, d.id, d.body, d.anchors, d.links, d.tags
  FROM documents d
 WHERE d.space_id = $2 AND d.id = ANY ($3)
