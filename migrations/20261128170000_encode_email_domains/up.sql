-- Domains of e-mail addresses beyond ASCII get their encoded form (IDNA), as they are written since. SQL has no function
-- for it: `quire migrate` runs crates/storage/src/migrations/email_domains.rs with this migration.
SELECT 1;
