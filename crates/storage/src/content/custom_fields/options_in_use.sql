-- Up to five options of a custom field that values use and that the field no longer allows.
-- $1 organization, $2 custom field, $3 allowed options.
SELECT DISTINCT option
  FROM custom_field_values v
 CROSS JOIN LATERAL jsonb_array_elements_text(
           CASE jsonb_typeof(v.value) WHEN 'array' THEN v.value ELSE jsonb_build_array(v.value) END) AS option
 WHERE v.organization_id = $1 AND v.custom_field_id = $2 AND NOT option = ANY ($3)
 ORDER BY option
 LIMIT 5
