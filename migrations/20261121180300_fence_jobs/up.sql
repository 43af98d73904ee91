-- Attempts begin anew when a job that goes by the clock is repeated; what tells one holder from another never does.
ALTER TABLE jobs ADD COLUMN taken integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN jobs.taken IS 'How often it was taken: only the holder of the last take can end it.';
UPDATE jobs SET taken = attempts;
