DROP INDEX documents_with_tags;
ALTER TABLE documents DROP COLUMN tags;
