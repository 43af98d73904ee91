DROP TABLE saml_provider_teams, saml_providers, translation_settings;
