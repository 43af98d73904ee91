DROP TABLE search_sections, search_pages;
DROP FUNCTION search_words;
DROP FUNCTION search_fold;
DROP EXTENSION btree_gin;
