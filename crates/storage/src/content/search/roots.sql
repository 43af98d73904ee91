-- Roots of the trees of revisions. $1 spaces, $2 the revision of each.
SELECT r.space_id, r.root
  FROM unnest($1, $2) AS w (space_id, revision_id)
  JOIN revisions r ON r.space_id = w.space_id AND r.id = w.revision_id
