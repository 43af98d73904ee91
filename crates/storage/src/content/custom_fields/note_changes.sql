-- Records changes of values with a revision. The first change sets the value before, and each change replaces the value
-- after.
-- $1 space, $2 revision, $3 names, $4 values before, $5 values after.
INSERT INTO custom_field_changes (space_id, revision_id, name, before, after)
SELECT $1, $2, n.name, n.before, n.after
  FROM unnest($3, $4, $5) AS n (name, before, after)
    ON CONFLICT (space_id, revision_id, name) DO UPDATE SET after = excluded.after
