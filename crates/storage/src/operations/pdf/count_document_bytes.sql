-- Total size of documents in bytes. $1 space, $2 documents.
SELECT coalesce(sum(octet_length(body)), 0)::bigint AS bytes
  FROM documents
 WHERE space_id = $1 AND id = ANY ($2)
