DROP TABLE organization_invites;
