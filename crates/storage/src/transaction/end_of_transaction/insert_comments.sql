-- Inserts new comments of one transaction, one value of each array per comment.
-- $1 spaces, $2 comments, $3 change requests, $4 authors, $5 times, $6 Markdown, $7 documents, $8 revisions, $9 pages,
-- $10 current state of the pages, $11 documents of the pages, $12 reviews, $13 nodes, $14 previews of the nodes, $15
-- quotations of the nodes.
INSERT INTO comments
       (space_id, id, change_request_id, posted_by, posted_at, markdown, document, target_revision,
        target_page, target_page_record, target_document, review_id, target_node, target_node_preview,
        target_node_quote)
SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
