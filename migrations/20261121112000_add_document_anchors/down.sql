ALTER TABLE documents DROP COLUMN anchors;
