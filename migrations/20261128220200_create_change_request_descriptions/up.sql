-- Descriptions of change requests, apart from their rows, because lists do not show them.

CREATE TABLE change_request_descriptions (
    space_id uuid NOT NULL,
    change_request_id uuid NOT NULL,
    markdown text NOT NULL,
    document bytea NOT NULL,
    PRIMARY KEY (space_id, change_request_id),
    FOREIGN KEY (space_id, change_request_id) REFERENCES change_requests (space_id, id) ON DELETE CASCADE
);

COMMENT ON TABLE change_request_descriptions IS 'Descriptions of change requests in both formats.';
COMMENT ON COLUMN change_request_descriptions.document IS 'Text as canonical JSON.';
