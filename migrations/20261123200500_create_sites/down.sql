DROP TABLE site_purges;
DROP TABLE site_renderers;
DROP TABLE site_adaptive_schemas;
DROP TABLE site_share_links;
DROP TABLE site_spaces;
DROP TABLE site_sections;
DROP TABLE site_section_groups;
DROP TABLE sites;
