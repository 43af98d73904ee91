-- Deletes the space that has been in the bin the longest, if it can no longer be restored. `deleted_at < $1` is the
-- negation of the condition of a restoration, so exactly one of the two is possible at any time.
-- $1 time before which spaces were deleted that cannot be restored.
DELETE FROM spaces
 WHERE id = (SELECT id
               FROM spaces
              WHERE deleted_at < $1
              ORDER BY deleted_at, id
              LIMIT 1
                FOR UPDATE SKIP LOCKED)
RETURNING id
