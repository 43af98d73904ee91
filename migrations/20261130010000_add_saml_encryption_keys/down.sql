ALTER TABLE saml_providers
    DROP COLUMN encryption_certificate,
    DROP COLUMN encryption_key;
