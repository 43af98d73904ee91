DROP TABLE integration_site_installations;
DROP TABLE integration_space_installations;
DROP TABLE integration_installations;
DROP TABLE integration_images;
DROP TABLE integrations;
