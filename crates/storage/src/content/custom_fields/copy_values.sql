-- Copies the values of custom fields between spaces of one organization. Between organizations it copies nothing.
-- $1 original, $2 copy.
INSERT INTO custom_field_values (organization_id, space_id, custom_field_id, value)
SELECT v.organization_id, $2, v.custom_field_id, v.value
  FROM custom_field_values v
  JOIN spaces a ON a.organization_id = v.organization_id AND a.id = $1
  JOIN spaces b ON b.organization_id = v.organization_id AND b.id = $2
 WHERE v.space_id = $1
