-- Starts a run, unless another run of the space is active. Returns the last synchronized commit if it belongs
-- to the same files, and the last synchronized revision. A connection keeps this revision when it gets another
-- branch, folder or repository: it is the base of the merge with the files there.
-- $1 space, $2 run, $3 direction, $4 URL, $5 ref, $6 folder, $7 provider, $8 URL of the page with the files, $9 time,
-- $10 time of expiry, $11 whether it belongs to the space's connection, whose lost run it replaces, $12 whether the
-- content and the last synchronized state are kept.
INSERT INTO git_syncs
    (space_id, run, direction, state, url, reference, project_directory, provider, tree_url,
     started_at, expires_at, by_installation)
VALUES ($1, $2, $3, 'running', $4, $5, $6, $7, $8, $9, $10, $11)
    ON CONFLICT (space_id) DO UPDATE
   SET run = excluded.run, direction = excluded.direction, state = 'running',
       url = CASE WHEN $12 THEN git_syncs.url ELSE excluded.url END,
       reference = CASE WHEN $12 THEN git_syncs.reference ELSE excluded.reference END,
       project_directory = CASE WHEN $12 THEN git_syncs.project_directory ELSE excluded.project_directory END,
       provider = CASE WHEN $12 THEN git_syncs.provider ELSE excluded.provider END,
       tree_url = CASE WHEN $12 THEN git_syncs.tree_url ELSE excluded.tree_url END,
       error = NULL, unauthenticated = false,
       started_at = excluded.started_at, expires_at = excluded.expires_at, ended_at = NULL,
       by_installation = excluded.by_installation,
       commit_id = CASE
           WHEN $12
               OR (git_syncs.url, git_syncs.project_directory) = (excluded.url, excluded.project_directory)
                AND git_syncs.reference IS NOT DISTINCT FROM excluded.reference THEN git_syncs.commit_id END,
       revision_id = CASE
           WHEN $12
               OR git_syncs.by_installation AND excluded.by_installation
               OR (git_syncs.url, git_syncs.project_directory) = (excluded.url, excluded.project_directory)
                AND git_syncs.reference IS NOT DISTINCT FROM excluded.reference THEN git_syncs.revision_id END
 WHERE git_syncs.state <> 'running' OR git_syncs.expires_at <= excluded.started_at
    OR (git_syncs.by_installation AND excluded.by_installation)
RETURNING commit_id, revision_id
