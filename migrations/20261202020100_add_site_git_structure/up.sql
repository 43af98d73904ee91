ALTER TABLE site_git_installations ADD COLUMN structure jsonb;
COMMENT ON COLUMN site_git_installations.structure IS
    'Structure of the site when the site file was last the same; null: not known yet.';
