-- The tables are empty: what earlier versions find has to be written again.

CREATE EXTENSION IF NOT EXISTS unaccent;

-- Lets an index lead with the space, so that a search never meets what other spaces hold.
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- In lower case without accents.
CREATE FUNCTION search_fold(value text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT lower(unaccent(value))
$$;

-- Folded, as words between spaces: what punctuation joins is taken apart, and each character of a script without spaces is a word,
-- so that its words are found as phrases.
CREATE FUNCTION search_words(value text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT regexp_replace(
        translate(search_fold(value), '''\./:;,@-_&=?#~<>"', repeat(' ', 18)),
        '([\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\U00020000-\U0003134F])',
        ' \1 ', 'g')
$$;

CREATE TABLE search_pages (
    space_id uuid NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    page_id uuid NOT NULL,
    title text NOT NULL,
    folded_title text NOT NULL,
    terms tsvector NOT NULL,
    PRIMARY KEY (space_id, page_id)
);
CREATE INDEX search_pages_terms ON search_pages USING gin (space_id, terms);
CREATE INDEX search_pages_folded_title ON search_pages USING gin (space_id, folded_title gin_trgm_ops);
COMMENT ON COLUMN search_pages.folded_title IS 'Title in lower case without accents.';

CREATE TABLE search_sections (
    space_id uuid NOT NULL,
    page_id uuid NOT NULL,
    ordinal integer NOT NULL,
    anchor text,
    heading text,
    body text NOT NULL,
    terms tsvector NOT NULL,
    PRIMARY KEY (space_id, page_id, ordinal),
    FOREIGN KEY (space_id, page_id) REFERENCES search_pages (space_id, page_id) ON DELETE CASCADE
);
CREATE INDEX search_sections_terms ON search_sections USING gin (space_id, terms);

COMMENT ON COLUMN organizations.search_language IS 'The text search configuration that stems this organization''s content.';
