ALTER TABLE git_installations
    ADD COLUMN authority text NOT NULL DEFAULT 'provider' CHECK (authority IN ('provider', 'gitbook'));
COMMENT ON COLUMN git_installations.authority IS
    'Side whose version of a page stays when changes of both sides conflict.';
ALTER TABLE site_git_installations
    ADD COLUMN authority text NOT NULL DEFAULT 'provider' CHECK (authority IN ('provider', 'gitbook'));
COMMENT ON COLUMN site_git_installations.authority IS
    'Side whose version of a page stays when changes of both sides conflict, in the spaces of the site.';
