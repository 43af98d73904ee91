-- Roles with which a named request was answered. Its answer is only repeated to a caller who still has them.

ALTER TABLE idempotency_keys
    ADD COLUMN places uuid[] NOT NULL DEFAULT '{}',
    ADD COLUMN roles smallint[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN idempotency_keys.places IS 'Organizations, collections and spaces that the request was about.';
COMMENT ON COLUMN idempotency_keys.roles IS
    'Rank of the role of the user on each of the places when the request had ended: 0 for a guest, null for none.';
