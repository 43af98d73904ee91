-- The version before finds no link by what is stored here.
DELETE FROM organization_invites;
ALTER TABLE organization_invites DROP COLUMN seed;
COMMENT ON COLUMN organization_invites.id IS NULL;
