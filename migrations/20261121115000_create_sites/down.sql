ALTER TABLE spaces DROP CONSTRAINT spaces_site_check, DROP COLUMN site_visibility, DROP COLUMN site_address;
DROP TABLE site_adaptive_schemas, site_share_links, site_spaces, site_sections, site_section_groups, sites;
