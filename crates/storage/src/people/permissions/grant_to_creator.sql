-- Grants a role on a new space or collection to its creator, unless the creator administers the organization
-- (`policy::creator_grant`).
-- $1 organization, $2 id of the grant, $3 space, $4 collection, $5 creator, $6 role, $7 time, $8 role of
-- administrators.
INSERT INTO content_grants (organization_id, id, space_id, collection_id, user_id, role, created_at)
SELECT $1, $2, $3, $4, m.user_id, $6, $7
  FROM organization_members m
 WHERE m.organization_id = $1 AND m.user_id = $5 AND m.role IS DISTINCT FROM $8
