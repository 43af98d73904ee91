DROP VIEW saml_rule_lists;
DROP VIEW oidc_rule_lists;
ALTER TABLE organization_members DROP COLUMN rule_role;
DROP TABLE saml_claim_rules;
DROP TABLE oidc_claim_rules;
