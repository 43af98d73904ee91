-- Spaces by id, with their versions. A version is the transaction that wrote the row.
-- $1 spaces.
SELECT s.xmin AS version,
       s.id, s.organization_id, s.collection_id, s.position, s.title, s.emoji, s.icon, s.language,
       s.edit_mode, s.default_level, s.head_revision, s.comments_open, s.change_requests,
       s.change_requests_open, s.change_requests_draft, s.created_at, s.updated_at, s.deleted_at,
       s.site_visibility, s.site_address
  FROM spaces s
 WHERE s.id = ANY ($1)
