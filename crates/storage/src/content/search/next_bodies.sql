-- First of the given documents of a space: at least one, and further ones while the preceding ones have less than $3
-- bytes.
-- $1 space, $2 documents.
SELECT id, body
  FROM (SELECT d.id, d.body,
               sum(octet_length(d.body)) OVER (ORDER BY w.position) - octet_length(d.body) AS bytes_before
          FROM unnest($2) WITH ORDINALITY AS w (id, position)
          JOIN documents d ON d.space_id = $1 AND d.id = w.id) AS sized
 WHERE bytes_before < $3
