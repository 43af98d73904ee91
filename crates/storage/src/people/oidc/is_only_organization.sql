-- Returns whether an organization is the only one of the deployment. $1 organization.
SELECT NOT EXISTS (SELECT 1 FROM organizations o WHERE o.id <> $1)
