-- Names, values before and values after that differ between a revision and its predecessor. Revisions of a change
-- request and standalone revisions also have predecessors in the main content, but no changes of their own.
-- $1 space, $2 revision.
SELECT f.name, f.before, f.after
  FROM custom_field_changes f
  JOIN revisions r
    ON r.space_id = f.space_id AND r.parents[1] = f.revision_id
        AND r.change_request_id IS NULL AND NOT r.standalone
 WHERE r.space_id = $1 AND r.id = $2 AND f.before IS DISTINCT FROM f.after
 ORDER BY f.name
