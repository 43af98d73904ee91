-- Connections of sites to Git repositories, and the log of their synchronizations. The connections of their spaces are
-- rows of git_installations, which name the connection of the site.

CREATE TABLE site_git_installations (
    organization_id uuid NOT NULL,
    site_id uuid NOT NULL,
    id uuid NOT NULL,
    provider text NOT NULL CHECK (provider IN ('github', 'gitlab', 'gitea', 'git')),
    url text CHECK (char_length(url) <= 2048),
    repository_id bigint CHECK (repository_id > 0),
    username text CHECK (char_length(username) BETWEEN 1 AND 255),
    secret bytea,
    reference text CHECK (char_length(reference) <= 255),
    project_directory text NOT NULL DEFAULT '' CHECK (char_length(project_directory) <= 1025),
    commit_message_template text CHECK (char_length(commit_message_template) BETWEEN 1 AND 1000),
    preview_external boolean NOT NULL DEFAULT false,
    priority text CHECK (priority IN ('git', 'gitbook')),
    directories jsonb,
    hook_secret bytea,
    token_id uuid,
    created_by uuid,
    trigger text NOT NULL CHECK (trigger IN ('setup', 'request', 'poll', 'hook')),
    failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    next_run_at timestamptz,
    commit_id text,
    file_id text,
    changed_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, site_id),
    UNIQUE (id),
    CHECK (url IS NOT NULL OR num_nonnulls(username, secret, reference, priority, next_run_at) = 0),
    FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (token_id) REFERENCES api_tokens (id) ON DELETE SET NULL,
    FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL
);

CREATE INDEX site_git_installations_token ON site_git_installations (token_id);
CREATE INDEX site_git_installations_created_by ON site_git_installations (created_by);
CREATE INDEX site_git_installations_next_run ON site_git_installations (next_run_at) WHERE next_run_at IS NOT NULL;
COMMENT ON TABLE site_git_installations IS 'Connections of sites to Git repositories.';
COMMENT ON COLUMN site_git_installations.url IS 'URL of the repository, without credentials; null: not set up yet.';
COMMENT ON COLUMN site_git_installations.repository_id IS
    'Id of the repository at its host; null: it was named by its URL.';
COMMENT ON COLUMN site_git_installations.username IS 'User name for the server; null: any, as tokens need none.';
COMMENT ON COLUMN site_git_installations.secret IS
    'Password or token for the server, sealed with the key `git` of the deployment; null: none.';
COMMENT ON COLUMN site_git_installations.reference IS 'Full name of the branch; null: the branch of HEAD.';
COMMENT ON COLUMN site_git_installations.project_directory IS
    'Folder of the site file in the repository with a slash at its end; empty: the top.';
COMMENT ON COLUMN site_git_installations.commit_message_template IS
    'Template of messages of commits; null: the default.';
COMMENT ON COLUMN site_git_installations.preview_external IS
    'Pull requests from other repositories have previews, too.';
COMMENT ON COLUMN site_git_installations.priority IS
    'Side that decides on the structure: the site file, or the site with `directories`; null: not chosen yet.';
COMMENT ON COLUMN site_git_installations.directories IS
    'Folders of the spaces by their ids, if the site has priority; null: none.';
COMMENT ON COLUMN site_git_installations.hook_secret IS
    'Secret of the webhook of the repository, sealed with the key `git` of the deployment; null: none.';
COMMENT ON COLUMN site_git_installations.token_id IS
    'Token of the user who set it up, which synchronizations act with; null: it was revoked.';
COMMENT ON COLUMN site_git_installations.created_by IS 'User who connected the site; null: the user was removed.';
COMMENT ON COLUMN site_git_installations.trigger IS 'Cause of the next synchronization.';
COMMENT ON COLUMN site_git_installations.failures IS 'Failed synchronizations since the last successful one.';
COMMENT ON COLUMN site_git_installations.next_run_at IS 'Time of the next synchronization; null: none until a change.';
COMMENT ON COLUMN site_git_installations.commit_id IS 'Commit that was read last; null: none.';
COMMENT ON COLUMN site_git_installations.file_id IS 'Object id of the site file that was applied last; null: none.';
COMMENT ON COLUMN site_git_installations.changed_at IS 'Time of the last synchronization that changed something.';

CREATE TABLE site_git_operations (
    organization_id uuid NOT NULL,
    site_id uuid NOT NULL,
    id uuid NOT NULL,
    direction text NOT NULL CHECK (direction IN ('import', 'export')),
    trigger text NOT NULL CHECK (trigger IN ('setup', 'request', 'poll', 'hook')),
    state text NOT NULL CHECK (state IN ('success', 'failure')),
    from_commit text,
    to_commit text,
    error text,
    notes text,
    attempts integer NOT NULL DEFAULT 1 CHECK (attempts >= 1),
    started_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    CHECK ((state = 'failure') = (error IS NOT NULL)),
    PRIMARY KEY (organization_id, site_id, id),
    FOREIGN KEY (organization_id, site_id)
        REFERENCES site_git_installations (organization_id, site_id) ON DELETE CASCADE
);

CREATE INDEX site_git_operations_ended ON site_git_operations (ended_at);
COMMENT ON TABLE site_git_operations IS
    'Synchronizations of sites with repositories that changed something or failed.';
COMMENT ON COLUMN site_git_operations.trigger IS 'Cause of the synchronization.';
COMMENT ON COLUMN site_git_operations.from_commit IS 'Commit that was read before; null: none.';
COMMENT ON COLUMN site_git_operations.to_commit IS 'Commit that was read; null: none.';
COMMENT ON COLUMN site_git_operations.error IS 'Reason of a failure, as a sentence.';
COMMENT ON COLUMN site_git_operations.notes IS 'Sentences for people about spaces and parts of the file; null: none.';
COMMENT ON COLUMN site_git_operations.attempts IS 'Successive runs with the same failure.';

ALTER TABLE git_installations ADD COLUMN parent_id uuid;
ALTER TABLE git_installations ADD COLUMN site_key text;
COMMENT ON COLUMN git_installations.parent_id IS
    'Connection of the site that manages this one, also while it is being removed after it; null: none.';
COMMENT ON COLUMN git_installations.site_key IS 'Key of the space in the site file; null: it has none.';
-- The table has a row for each connected space at most.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX git_installations_parent ON git_installations (parent_id) WHERE parent_id IS NOT NULL;

ALTER TABLE sites ADD COLUMN git_sync jsonb;
COMMENT ON COLUMN sites.git_sync IS
    'Connection to a Git repository and its last synchronization; null: the site is not connected.';

CREATE OR REPLACE VIEW site_access AS
SELECT t.id AS token_id, t.hash AS token_hash, t.expires_at AS token_expires_at,
       t.user_id AS actor_id, t.read_only, t.last_used_at,
       w.organization_id, w.id, w.type, w.title, w.visibility, w.published, w.hostname, w.basename, w.proxy_origin,
       w.adaptive_content, w.customization, w.created_at,
       (SELECT count(*)
          FROM site_spaces p
          JOIN spaces s ON s.organization_id = p.organization_id AND s.id = p.space_id AND s.deleted_at IS NULL
          LEFT JOIN site_sections x
            ON x.organization_id = p.organization_id AND x.site_id = p.site_id AND x.id = p.section_id
          LEFT JOIN site_section_groups g
            ON g.organization_id = x.organization_id AND g.site_id = x.site_id AND g.id = x.group_id
          LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id
         WHERE p.organization_id = w.organization_id AND p.site_id = w.id
           AND (m.role >= 5
                OR (w.published AND w.visibility <> 'share-link'
                    AND p.condition IS NULL AND x.condition IS NULL
                    AND NOT (p.draft OR coalesce(x.draft, false) OR coalesce(g.draft, false)))
                OR (SELECT er.role
                      FROM effective_role(m.role, m.disabled, s.organization_id, t.user_id, s.id, c.path, s.default_level) er)
                   IS NOT NULL)) AS site_spaces,
       m.role AS member_role,
       (SELECT o.blocked_reason IS NOT NULL FROM organizations o WHERE o.id = w.organization_id) AS organization_is_blocked,
       w.pending_hostname, w.pending_proxy_origin,
       coalesce(w.basename, w.slug, w.id::text) AS name,
       (SELECT coalesce(o.address_name, o.slug, o.id::text) FROM organizations o WHERE o.id = w.organization_id)
           AS organization_name,
       w.git_sync
  FROM api_tokens t
  JOIN sites w ON t.organizations IS NULL OR w.organization_id = ANY (t.organizations)
  JOIN organization_members m ON m.organization_id = w.organization_id AND m.user_id = t.user_id AND NOT m.disabled;
