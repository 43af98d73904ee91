-- Spaces of an organization that the reader sees: one row with parallel arrays of their ids, titles and heads.
-- $1 hash of the reader's token, $2 time, $3 organization.
SELECT coalesce(array_agg(s.id), '{}') AS ids, coalesce(array_agg(s.title), '{}') AS titles,
       coalesce(array_agg(s.head_revision), '{}') AS heads
  FROM space_access a
  JOIN spaces s ON s.id = a.id
 WHERE a.token_hash = $1 AND (a.token_expires_at IS NULL OR a.token_expires_at > $2)
   AND a.organization_id = $3 AND a.deleted_at IS NULL AND a.is_visible
