-- Links into a page are broken or not without its document being read.
ALTER TABLE documents ADD COLUMN anchors jsonb;
COMMENT ON COLUMN documents.anchors IS 'The anchors of its headings, an array of texts; null for what was stored before they were kept.';
