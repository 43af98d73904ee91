-- Keeps revisions that can no longer be amended, with their content, permanently.
-- $1 space, $2 change request, $3 documents, $4 nodes, $5 revisions.
WITH kept_documents AS (
    UPDATE documents
       SET amended_by = NULL
     WHERE space_id = $1 AND id = ANY ($3) AND amended_by = $2),
kept_nodes AS (
    UPDATE tree_nodes
       SET amended_by = NULL
     WHERE space_id = $1 AND hash = ANY ($4) AND amended_by = $2)
UPDATE revisions
   SET begun_at = NULL
 WHERE space_id = $1 AND id = ANY ($5)
