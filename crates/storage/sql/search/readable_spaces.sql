-- Spaces of an organization that the reader sees, with the roots of their current trees.
-- $1 hash of the reader's token, $2 time, $3 organization.
SELECT s.id, s.title, r.root
  FROM space_access s
  JOIN revisions r ON r.space_id = s.content_id AND r.id = s.head_revision
 WHERE s.token_hash = $1 AND (s.token_expires_at IS NULL OR s.token_expires_at > $2)
   AND s.organization_id = $3 AND s.deleted_at IS NULL AND s.is_visible
