-- Sets the description of a change request. $1 space, $2 change request, $3 Markdown, $4 document.
INSERT INTO change_request_descriptions (space_id, change_request_id, markdown, document)
VALUES ($1, $2, $3, $4)
    ON CONFLICT (space_id, change_request_id)
    DO UPDATE SET markdown = excluded.markdown, document = excluded.document
