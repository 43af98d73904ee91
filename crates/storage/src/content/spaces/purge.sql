-- Deletes the space that was put into the bin first, if it can no longer be restored. `deleted_at < $1` is the
-- negation of the condition on a restore, so at any moment exactly one of the two can happen.
-- $1 time up to which a deleted space cannot be restored.
DELETE FROM spaces
 WHERE id = (SELECT id
               FROM spaces
              WHERE deleted_at < $1
              ORDER BY deleted_at, id
              LIMIT 1
                FOR UPDATE SKIP LOCKED)
RETURNING id
