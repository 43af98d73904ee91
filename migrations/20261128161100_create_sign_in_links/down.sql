DROP TABLE sign_in_links;
