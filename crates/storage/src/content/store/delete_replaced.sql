-- Deletes replaced revisions, and the content to which only they refer.
-- $1 space, $2 change request, $3 documents, $4 nodes, $5 revisions.
WITH deleted_documents AS (
    DELETE FROM documents
     WHERE space_id = $1 AND id = ANY ($3) AND amended_by = $2),
deleted_nodes AS (
    DELETE FROM tree_nodes
     WHERE space_id = $1 AND hash = ANY ($4) AND amended_by = $2)
DELETE FROM revisions
 WHERE space_id = $1 AND id = ANY ($5) AND replaced_at IS NOT NULL
