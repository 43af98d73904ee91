-- Rules of sign-in providers that give roles and teams by claims.

CREATE TABLE oidc_claim_rules (
    organization_id uuid NOT NULL,
    oidc_provider_id uuid NOT NULL,
    place smallint NOT NULL CHECK (place >= 0),
    claim text NOT NULL CHECK (char_length(claim) BETWEEN 1 AND 200),
    value text NOT NULL CHECK (char_length(value) BETWEEN 1 AND 500),
    team_id uuid,
    role smallint CHECK (role BETWEEN 1 AND 6),
    CHECK (num_nonnulls(team_id, role) > 0),
    PRIMARY KEY (organization_id, oidc_provider_id, place),
    FOREIGN KEY (organization_id, oidc_provider_id)
        REFERENCES oidc_providers (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX oidc_claim_rules_team ON oidc_claim_rules (organization_id, team_id);
COMMENT ON TABLE oidc_claim_rules IS 'Rules of OpenID Connect providers that give teams and roles by claims.';
COMMENT ON COLUMN oidc_claim_rules.place IS 'Place in the list of the provider, from 0.';
COMMENT ON COLUMN oidc_claim_rules.claim IS 'Name of the claim; dots separate the levels of nested claims.';
COMMENT ON COLUMN oidc_claim_rules.value IS 'Value of the claim, or one of its values.';
COMMENT ON COLUMN oidc_claim_rules.team_id IS
    'Team that the rule gives; null: none. The rule ends with the team.';
COMMENT ON COLUMN oidc_claim_rules.role IS 'Rank of the role that the rule gives; null: none.';

CREATE TABLE saml_claim_rules (
    organization_id uuid NOT NULL,
    saml_provider_id uuid NOT NULL,
    place smallint NOT NULL CHECK (place >= 0),
    claim text NOT NULL CHECK (char_length(claim) BETWEEN 1 AND 200),
    value text NOT NULL CHECK (char_length(value) BETWEEN 1 AND 500),
    team_id uuid,
    role smallint CHECK (role BETWEEN 1 AND 6),
    CHECK (num_nonnulls(team_id, role) > 0),
    PRIMARY KEY (organization_id, saml_provider_id, place),
    FOREIGN KEY (organization_id, saml_provider_id)
        REFERENCES saml_providers (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX saml_claim_rules_team ON saml_claim_rules (organization_id, team_id);
COMMENT ON TABLE saml_claim_rules IS 'Rules of SAML providers that give teams and roles by attributes.';
COMMENT ON COLUMN saml_claim_rules.place IS 'Place in the list of the provider, from 0.';
COMMENT ON COLUMN saml_claim_rules.claim IS '`Name` or `FriendlyName` of the attribute.';
COMMENT ON COLUMN saml_claim_rules.value IS 'Value of the attribute, or one of its values.';
COMMENT ON COLUMN saml_claim_rules.team_id IS
    'Team that the rule gives; null: none. The rule ends with the team.';
COMMENT ON COLUMN saml_claim_rules.role IS 'Rank of the role that the rule gives; null: none.';

ALTER TABLE organization_members ADD COLUMN rule_role smallint;
COMMENT ON COLUMN organization_members.rule_role IS
    'Rank of the role that a rule of a provider gave last; null: none, or a person gave one since.';

CREATE VIEW oidc_rule_lists AS
SELECT organization_id, oidc_provider_id,
       jsonb_agg(jsonb_build_object('claim', claim, 'value', value, 'team', team_id, 'role', role)
                 ORDER BY place) AS rules
  FROM oidc_claim_rules
 GROUP BY organization_id, oidc_provider_id;
COMMENT ON VIEW oidc_rule_lists IS 'The rules of each OpenID Connect provider that has some, in their order.';

CREATE VIEW saml_rule_lists AS
SELECT organization_id, saml_provider_id,
       jsonb_agg(jsonb_build_object('claim', claim, 'value', value, 'team', team_id, 'role', role)
                 ORDER BY place) AS rules
  FROM saml_claim_rules
 GROUP BY organization_id, saml_provider_id;
COMMENT ON VIEW saml_rule_lists IS 'The rules of each SAML provider that has some, in their order.';
