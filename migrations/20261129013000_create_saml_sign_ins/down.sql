DROP TABLE saml_messages;
DROP TABLE saml_sign_ins;
DROP TABLE saml_identities;
ALTER TABLE saml_providers DROP COLUMN claims;
ALTER TABLE saml_providers DROP COLUMN tested_at;
ALTER TABLE saml_providers DROP CONSTRAINT saml_providers_id_key;
