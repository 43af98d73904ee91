-- The id of an invite link is its secret, and is no longer in the table: `id` is its hash, and a key that the database holds in a wrapped form
-- makes it of `seed` when the list of links shows it. SQL can't use that key. The links that were made before are in dumps, so they end.

DELETE FROM organization_invites;
ALTER TABLE organization_invites
    ADD COLUMN seed uuid NOT NULL,
    ADD CONSTRAINT organization_invites_organization_id_seed_key UNIQUE (organization_id, seed);
COMMENT ON COLUMN organization_invites.id IS 'The first 16 bytes of the SHA-256 of the id in the link.';
COMMENT ON COLUMN organization_invites.seed IS 'What the id in the link is made from, in the order of time.';
