-- Pages are found by the index of each node, which is made from the content.

DROP TABLE search_sections, search_pages;
DROP FUNCTION search_words;
DROP FUNCTION search_fold;
DROP EXTENSION btree_gin;
DROP EXTENSION unaccent;

COMMENT ON COLUMN organizations.search_language IS 'The language of Snowball that words are stemmed in; simple for none.';
