-- Records the revision created by the merge of a change request. $1 space, $2 change request, $3 revision, $4 time.
UPDATE change_requests
   SET status = 'merged', revision_merged = $3, updated_at = $4
 WHERE space_id = $1 AND id = $2
