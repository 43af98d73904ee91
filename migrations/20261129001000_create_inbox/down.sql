DROP TABLE inbox_entries;
