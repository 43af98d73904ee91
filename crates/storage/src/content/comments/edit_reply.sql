-- Changes the text of a reply. $1 space, $2 reply, $3 Markdown, $4 document, $5 time.
UPDATE comment_replies SET markdown = $3, document = $4, edited_at = $5 WHERE space_id = $1 AND id = $2
