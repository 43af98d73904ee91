-- Deletes a batch of the entries of all inboxes that were created before a time.
-- $1 time, $2 limit.
DELETE FROM inbox_entries
 WHERE ctid = ANY (ARRAY (SELECT ctid
                            FROM inbox_entries
                           WHERE created_at < $1
                           LIMIT $2))
