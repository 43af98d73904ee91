ALTER TABLE saml_providers
    ADD COLUMN encryption_key bytea,
    ADD COLUMN encryption_certificate text;

COMMENT ON COLUMN saml_providers.encryption_key IS
    'Sealed private key for assertions that the provider encrypts; null: the provider was not given one.';
COMMENT ON COLUMN saml_providers.encryption_certificate IS
    'Certificate of the key, in PEM, which is in the metadata; null with the key.';
