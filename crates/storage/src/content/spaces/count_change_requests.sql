-- Adds to the change request counters of a space. $1 space, $2 difference of open change requests, $3 of drafts.
UPDATE spaces
   SET change_requests_open = change_requests_open + $2, change_requests_draft = change_requests_draft + $3
 WHERE spaces.id = $1
