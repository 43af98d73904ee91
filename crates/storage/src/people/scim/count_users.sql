-- Number of members of an organization. $1 organization.
SELECT count(*) FROM organization_members m WHERE m.organization_id = $1
