-- The key that an organization's visitor claims are signed with; made when it is first used.

ALTER TABLE organizations ADD COLUMN visitor_key bytea CHECK (octet_length(visitor_key) = 32);
