-- Integrations installed on sites, below the installation on the organization: as on spaces.
CREATE TABLE integration_site_installations (
    organization_id uuid NOT NULL,
    installation_id uuid NOT NULL,
    site_id uuid NOT NULL,
    configuration jsonb NOT NULL,
    external_ids text[] NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, installation_id, site_id),
    FOREIGN KEY (organization_id, installation_id) REFERENCES integration_installations (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX integration_site_installations_site ON integration_site_installations (organization_id, site_id);
