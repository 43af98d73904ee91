DROP INDEX blobs_stored;
ALTER TABLE blobs DROP COLUMN stored_in;
