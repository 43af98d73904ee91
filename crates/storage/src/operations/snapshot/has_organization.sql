-- Returns whether the organization exists. $1 organization.
SELECT EXISTS (SELECT FROM organizations WHERE id = $1)
