-- Users with a role on a space are counted by the roles of members, of which a count reads no rows.
-- Members are few next to pages: writes of 100,000 rows wait for a tenth of a second.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX organization_members_roles ON organization_members (organization_id, role) WHERE NOT disabled;
