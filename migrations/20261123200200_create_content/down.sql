DROP TABLE custom_field_changes;
DROP TABLE former_places;
ALTER TABLE spaces DROP CONSTRAINT spaces_id_head_revision_fkey;
DROP TABLE revisions;
DROP TABLE tree_nodes;
DROP TABLE documents;
DROP TABLE blobs;
