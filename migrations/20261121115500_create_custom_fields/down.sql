DROP TABLE custom_field_changes, custom_field_values, custom_fields;
