-- Spaces by id.
-- $1 spaces.
SELECT $columns(s)
  FROM spaces s
 WHERE s.id = ANY ($1)
