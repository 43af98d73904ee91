-- Sets values of custom fields in a space.
-- $1 organization, $2 space, $3 custom fields, $4 their values.
INSERT INTO custom_field_values (organization_id, space_id, custom_field_id, value)
SELECT $1, $2, n.id, n.value
  FROM unnest($3, $4) AS n (id, value)
    ON CONFLICT (organization_id, space_id, custom_field_id) DO UPDATE SET value = excluded.value
