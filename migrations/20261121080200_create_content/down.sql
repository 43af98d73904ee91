ALTER TABLE spaces DROP CONSTRAINT spaces_id_head_revision_fkey;
DROP INDEX spaces_head;
DROP TABLE document_links, blobs, revisions, tree_nodes, documents;
