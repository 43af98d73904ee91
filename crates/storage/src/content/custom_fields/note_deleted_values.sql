-- Records with the head of each space that its value of a custom field is deleted. Heads do not move while their spaces
-- are locked, so each change belongs to the current head.
-- $1 organization, $2 custom field, $3 name of the field.
WITH gone AS (
    SELECT s.id, s.head_revision, v.value
      FROM custom_field_values v
      JOIN spaces s ON s.organization_id = v.organization_id AND s.id = v.space_id
     WHERE v.organization_id = $1 AND v.custom_field_id = $2
     ORDER BY s.id
       FOR SHARE OF s)
INSERT INTO custom_field_changes (space_id, revision_id, name, before, after)
SELECT id, head_revision, $3, value, NULL
  FROM gone
    ON CONFLICT (space_id, revision_id, name) DO UPDATE SET after = NULL
