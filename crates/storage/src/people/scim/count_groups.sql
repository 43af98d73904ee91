-- Number of teams of an organization. $1 organization.
SELECT count(*) FROM teams t WHERE t.organization_id = $1
