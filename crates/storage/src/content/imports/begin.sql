-- Starts an attempt of an import that has not ended. Returns the import with the hash of the token that requested it.
-- $1 space, $2 import, $3 id of the attempt, $4 time.
WITH begun AS (
    UPDATE imports
       SET status = 'running', run = $3, attempts = attempts + 1, started_at = $4, phase = NULL, done = 0,
           total = NULL
     WHERE space_id = $1 AND id = $2 AND finished_at IS NULL
 RETURNING *)
SELECT b.space_id, b.id, b.change_request_id, b.page_id, b.source, b.url, b.file_name, b.upload_size,
       b.expected, b.request, t.hash, b.attempts, b.run
  FROM begun b
  LEFT JOIN api_tokens t ON t.id = b.token_id
