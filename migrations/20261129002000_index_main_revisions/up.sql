-- Serves the list of the revisions of a space, without those of its change requests, and its count.

-- squawk-ignore require-concurrent-index-creation
CREATE INDEX revisions_main ON revisions (space_id, id) INCLUDE (type, author_id) WHERE change_request_id IS NULL;
