-- Head of a change request, or a revision, of a space that a user may read.
-- $1 organization, $2 space, $3 change request, $4 revision, $5 user, $6 number of a change request.
SELECT c.id AS change_request, c.number, c.subject, r.id, encode(r.root, 'hex') AS root, r.created_at
  FROM spaces s
  LEFT JOIN collections k ON k.organization_id = s.organization_id AND k.id = s.collection_id
  LEFT JOIN organization_members m ON m.organization_id = s.organization_id AND m.user_id = $5
 CROSS JOIN LATERAL effective_role(
           m.role, m.disabled, s.organization_id, $5, s.id, k.path, s.default_level) er
  LEFT JOIN change_requests c ON c.space_id = s.id AND (c.id = $3 OR c.number = $6)
  -- See the comment on space_access.content_id for the reason for coalesce.
  JOIN revisions r ON r.space_id = coalesce(s.id, s.id) AND r.id = coalesce(c.head_revision, $4)
 WHERE s.organization_id = $1 AND s.id = $2 AND s.deleted_at IS NULL AND er.role IS NOT NULL
