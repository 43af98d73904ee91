-- Documents of several spaces. The bodies are left out if they have more than $3 bytes in total.
-- $1 spaces, $2 the document of each.
WITH sized AS (
    SELECT d.id, d.body, sum(octet_length(d.body)) OVER () AS bytes
      FROM unnest($1, $2) AS w (space_id, id)
      JOIN documents d ON d.space_id = w.space_id AND d.id = w.id)
SELECT id, CASE WHEN bytes <= $3 THEN body END FROM sized
