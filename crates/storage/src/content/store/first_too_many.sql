-- Position, from 1, of the first document with which the documents up to it have more bytes together; 0 if all of them
-- have at most as many. The size of a body is found without reading it.
-- $1 space, $2 documents in order, $3 number of bytes.
SELECT coalesce(min(q.place), 0) AS place
  FROM (SELECT w.place, sum(octet_length(d.body)) OVER (ORDER BY w.place) AS upto
          FROM unnest($2) WITH ORDINALITY AS w (id, place)
          JOIN documents d ON d.space_id = $1 AND d.id = w.id) q
 WHERE q.upto > $3
