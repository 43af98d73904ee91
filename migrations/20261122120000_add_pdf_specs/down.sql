ALTER TABLE pdfs DROP COLUMN only_shown_specs;
