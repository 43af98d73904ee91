-- A picture that stands for a space in place of its emoji.
ALTER TABLE spaces ADD COLUMN icon text CHECK (char_length(icon) BETWEEN 1 AND 2048);
COMMENT ON COLUMN spaces.icon IS 'The address of a picture.';
