DROP TABLE custom_field_values;
DROP TABLE organization_invites;
DROP TABLE content_grants;
DROP TABLE spaces;
DROP TABLE collections;
