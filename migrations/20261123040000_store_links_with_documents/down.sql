CREATE TABLE document_links (
    space_id uuid NOT NULL,
    document_id bytea NOT NULL,
    ordinal integer NOT NULL,
    reference jsonb NOT NULL,
    relation text NOT NULL CHECK (relation IN ('reference', 'dependsOn')),
    target_kind text NOT NULL,
    target_id uuid,
    node text,
    PRIMARY KEY (space_id, document_id, ordinal),
    FOREIGN KEY (space_id, document_id) REFERENCES documents (space_id, id) ON DELETE CASCADE
);
CREATE INDEX document_links_target ON document_links (space_id, target_kind, target_id) WHERE target_id IS NOT NULL;

INSERT INTO document_links (space_id, document_id, ordinal, reference, relation, target_kind, target_id, node)
SELECT d.space_id, d.id, l.place - 1, l.link -> 'reference',
       CASE WHEN (l.link -> 'dependsOn')::boolean THEN 'dependsOn' ELSE 'reference' END,
       coalesce(l.link -> 'reference' ->> 'kind', 'url'),
       CASE WHEN t.id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN t.id::uuid END,
       l.link ->> 'node'
FROM documents d
CROSS JOIN jsonb_array_elements(d.links) WITH ORDINALITY AS l (link, place)
CROSS JOIN LATERAL (SELECT CASE l.link -> 'reference' ->> 'kind'
                        WHEN 'page' THEN l.link -> 'reference' ->> 'page'
                        WHEN 'anchor' THEN l.link -> 'reference' ->> 'page'
                        WHEN 'file' THEN l.link -> 'reference' ->> 'file'
                        WHEN 'reusable-content' THEN l.link -> 'reference' ->> 'reusableContent'
                        WHEN 'space' THEN l.link -> 'reference' ->> 'space'
                        WHEN 'collection' THEN l.link -> 'reference' ->> 'collection'
                        WHEN 'user' THEN l.link -> 'reference' ->> 'user'
                    END AS id) t;

ALTER TABLE documents DROP COLUMN links;
ALTER TABLE tree_nodes ALTER COLUMN body SET COMPRESSION default;
