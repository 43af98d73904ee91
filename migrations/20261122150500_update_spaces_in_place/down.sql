ALTER TABLE spaces RESET (fillfactor);
CREATE INDEX spaces_head ON spaces (id, head_revision);
