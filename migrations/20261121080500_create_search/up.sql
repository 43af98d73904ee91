-- What can be found: the current main content, a row a page and a row a section of it.

CREATE TABLE search_pages (
    space_id uuid NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    page_id uuid NOT NULL,
    title text NOT NULL,
    folded_title text NOT NULL,
    terms tsvector NOT NULL,
    PRIMARY KEY (space_id, page_id)
);
CREATE INDEX search_pages_terms ON search_pages USING gin (terms);
CREATE INDEX search_pages_folded_title ON search_pages USING gin (folded_title gin_trgm_ops);
COMMENT ON COLUMN search_pages.folded_title IS 'Title in lower case without accents.';

CREATE TABLE search_sections (
    space_id uuid NOT NULL,
    page_id uuid NOT NULL,
    ordinal integer NOT NULL,
    anchor text,
    heading text,
    body text NOT NULL,
    folded_body text NOT NULL,
    terms tsvector NOT NULL,
    PRIMARY KEY (space_id, page_id, ordinal),
    FOREIGN KEY (space_id, page_id) REFERENCES search_pages (space_id, page_id) ON DELETE CASCADE
);
CREATE INDEX search_sections_terms ON search_sections USING gin (terms);
CREATE INDEX search_sections_folded_body ON search_sections USING gin (folded_body gin_trgm_ops);
