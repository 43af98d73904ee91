-- Replaces the name of an organization in the addresses of its spaces.
-- $1 organization, $2 name, $3 new name.
UPDATE spaces s
   SET site_address = 'sites/' || $3 || substr(s.site_address, char_length('sites/' || $2) + 1)
 WHERE s.organization_id = $1 AND starts_with(s.site_address, 'sites/' || $2 || '/')
