-- Position, from 1, of the first document at which the total size exceeds $3 bytes; 0 if it is never exceeded. The size
-- of a body is read without the body.
-- $1 space, $2 documents in order, $3 number of bytes.
SELECT coalesce(min(q.place), 0) AS place
  FROM (SELECT w.place, sum(octet_length(d.body)) OVER (ORDER BY w.place) AS upto
          FROM unnest($2) WITH ORDINALITY AS w (id, place)
          JOIN documents d ON d.space_id = $1 AND d.id = w.id) q
 WHERE q.upto > $3
