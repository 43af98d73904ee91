-- Spaces by id.
-- $1 spaces.
SELECT s.id, s.organization_id, s.collection_id, s.position, s.title, s.emoji, s.icon, s.language,
       s.edit_mode, s.default_level, s.head_revision, s.comments_open, s.change_requests,
       s.change_requests_open, s.change_requests_draft, s.created_at, s.updated_at, s.deleted_at,
       s.site_visibility, s.site_address
  FROM spaces s
 WHERE s.id = ANY ($1)
