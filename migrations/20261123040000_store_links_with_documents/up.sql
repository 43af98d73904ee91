-- Links are read by their document alone: the index of a tree's links finds those that lead to a target. An array in the row of the document takes
-- the place of one row for each link, with two indexes and a foreign key.
ALTER TABLE documents ADD COLUMN links jsonb NOT NULL DEFAULT '[]';
UPDATE documents d SET links = l.links
FROM (SELECT space_id, document_id,
             jsonb_agg(jsonb_strip_nulls(jsonb_build_object('dependsOn', CASE WHEN relation = 'dependsOn' THEN true END, 'node', node))
                       || jsonb_build_object('reference', reference) ORDER BY ordinal) AS links
      FROM document_links GROUP BY space_id, document_id) l
WHERE d.space_id = l.space_id AND d.id = l.document_id;
ALTER TABLE documents ALTER COLUMN links DROP DEFAULT;

-- As the documents themselves: it takes half of the time of the standard compression. Rows that are stored already stay as they are.
DO $$
BEGIN
    ALTER TABLE documents ALTER COLUMN links SET COMPRESSION lz4;
    ALTER TABLE tree_nodes ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
    RAISE NOTICE 'this server has no lz4: links and nodes keep the standard compression';
END
$$;
COMMENT ON COLUMN documents.links IS 'What it refers to, in its order: objects with reference, dependsOn and node.';
DROP TABLE document_links;
