-- Number of collections of an organization that the reader sees.
-- $1 hash of the reader's token, $2 time, $3 organization, $4 whether to count nested collections.
SELECT count(*)
  FROM collection_access c
 WHERE c.token_hash = $1 AND (c.token_expires_at IS NULL OR c.token_expires_at > $2)
   AND c.organization_id = $3 AND ($4 OR c.parent_id IS NULL) AND c.role IS NOT NULL
