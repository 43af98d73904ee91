ALTER TABLE git_installations ADD COLUMN pull_request text;
COMMENT ON COLUMN git_installations.pull_request IS
    'URL of the pull request that commits wait in, or of the page to open it; null: no commit waits.';
ALTER TABLE site_git_installations ADD COLUMN pull_request text;
COMMENT ON COLUMN site_git_installations.pull_request IS
    'URL of the pull request that commits wait in, or of the page to open it; null: no commit waits.';

-- A commit waits if it is the last entry of its log.
UPDATE git_installations i
   SET pull_request = o.pull_request
  FROM git_operations o
 WHERE o.space_id = i.space_id AND o.pull_request IS NOT NULL
   AND o.id = (SELECT l.id FROM git_operations l WHERE l.space_id = i.space_id ORDER BY l.id DESC LIMIT 1);
UPDATE site_git_installations i
   SET pull_request = o.pull_request
  FROM site_git_operations o
 WHERE o.organization_id = i.organization_id AND o.site_id = i.site_id AND o.pull_request IS NOT NULL
   AND o.id = (SELECT l.id FROM site_git_operations l
                WHERE l.organization_id = i.organization_id AND l.site_id = i.site_id
                ORDER BY l.id DESC LIMIT 1);
