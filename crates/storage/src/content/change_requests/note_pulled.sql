-- Records the revision of the space that was merged into a change request. $1 space, $2 change request, $3 revision.
UPDATE change_requests SET revision_merged_ancestor = $3 WHERE space_id = $1 AND id = $2
