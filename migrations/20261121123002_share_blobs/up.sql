-- A duplicate names the bytes of its original where they are.
ALTER TABLE blobs ADD COLUMN stored_in uuid;
UPDATE blobs SET stored_in = space_id;
ALTER TABLE blobs ALTER COLUMN stored_in SET NOT NULL;
COMMENT ON COLUMN blobs.stored_in IS 'The space under whose id the bytes are in the store; it may be gone itself.';
CREATE INDEX blobs_stored ON blobs (stored_in, hash);
