-- The change requests of a space by when they last changed.
CREATE INDEX change_requests_updated ON change_requests (space_id, status, updated_at DESC, id DESC);
