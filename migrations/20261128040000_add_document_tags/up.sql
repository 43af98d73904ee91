-- Tags that the updates in documents name, which revisions list.

ALTER TABLE documents ADD COLUMN tags jsonb;
COMMENT ON COLUMN documents.tags IS 'References to the tags of updates, each once; null without one.';

UPDATE documents d
   SET tags = t.tags
  FROM (SELECT space_id, id,
               (SELECT jsonb_agg(DISTINCT tag)
                  FROM jsonb_path_query(
                           convert_from(body, 'UTF8')::jsonb,
                           '$.** ? (@.type == "update").data.tags[*] ? (@.kind == "tag")') AS tag) AS tags
          FROM documents
         WHERE position('"kind":"tag"'::bytea IN body) > 0) AS t
 WHERE d.space_id = t.space_id AND d.id = t.id AND t.tags IS NOT NULL;

CREATE INDEX documents_with_tags ON documents (space_id, id) WHERE tags IS NOT NULL;
