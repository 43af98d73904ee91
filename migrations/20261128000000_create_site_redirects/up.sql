-- Redirects of sites.

CREATE TABLE site_redirects (
    organization_id uuid NOT NULL,
    site_id uuid NOT NULL,
    id uuid NOT NULL,
    source text COLLATE "C" NOT NULL CHECK (char_length(source) BETWEEN 2 AND 512),
    draft boolean NOT NULL,
    capture_wildcard boolean NOT NULL,
    permanent boolean NOT NULL,
    destination jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz,
    PRIMARY KEY (organization_id, site_id, id),
    CONSTRAINT site_redirects_source_key UNIQUE (organization_id, site_id, source, draft),
    FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX site_redirects_changed
    ON site_redirects (organization_id, site_id, draft, coalesce(updated_at, created_at), id);
COMMENT ON TABLE site_redirects IS 'Paths of sites that lead elsewhere.';
COMMENT ON COLUMN site_redirects.source IS 'Path below the site; a * at its end matches any rest.';
COMMENT ON COLUMN site_redirects.draft IS 'Not followed. A draft and a live redirect may have the same source.';
COMMENT ON COLUMN site_redirects.capture_wildcard IS 'The rest that * matches is appended to the target.';
