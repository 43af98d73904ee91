DROP TABLE deleted_pages;
