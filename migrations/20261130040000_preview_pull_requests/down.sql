DELETE FROM revisions WHERE standalone;
DROP TABLE git_previews;
ALTER TABLE git_installations DROP COLUMN preview_external;
DROP INDEX revisions_main;
ALTER TABLE revisions DROP COLUMN standalone;
CREATE INDEX revisions_main ON revisions (space_id, id) INCLUDE (type, author_id) WHERE change_request_id IS NULL;
