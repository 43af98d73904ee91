DROP TABLE search_sections, search_pages;
