-- Moves the head of a space by compare-and-set, and adds to its counters of change requests. Returns whether the space
-- is connected to a Git repository; no row if the head moved meanwhile.
-- $1 space, $2 head before, $3 head after, $4 time, $5 difference of open change requests, $6 of drafts.
UPDATE spaces
   SET head_revision = $3,
       updated_at = $4,
       change_requests_open = change_requests_open + $5,
       change_requests_draft = change_requests_draft + $6
 WHERE spaces.id = $1 AND head_revision = $2
RETURNING git_sync IS NOT NULL
