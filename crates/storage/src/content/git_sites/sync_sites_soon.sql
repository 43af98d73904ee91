-- Schedules synchronizations of connections of changed sites at a time, unless they have an earlier one, or none at
-- all. The rows are locked in the order of their keys.
-- $1 organization, $2 site (null for all sites with the space) and $3 space of each change, $4 time.
-- Subqueries hide the lengths of the arrays from the planner, which would otherwise make a plan for each length.
WITH changes AS (
    SELECT c.organization_id, c.site_id, c.space_id
      FROM unnest((SELECT $1), (SELECT $2), (SELECT $3)) AS c (organization_id, site_id, space_id)
), changed AS (
    SELECT c.organization_id, c.site_id
      FROM changes c
     WHERE c.site_id IS NOT NULL
     UNION
    SELECT p.organization_id, p.site_id
      FROM changes c
      JOIN site_spaces p ON p.organization_id = c.organization_id AND p.space_id = c.space_id
), waiting AS (
    SELECT g.organization_id, g.site_id
      FROM changed c
      JOIN site_git_installations g ON g.organization_id = c.organization_id AND g.site_id = c.site_id
     WHERE g.priority = 'git' AND g.next_run_at > $4
     ORDER BY g.organization_id, g.site_id
       FOR NO KEY UPDATE OF g
)
UPDATE site_git_installations w
   SET next_run_at = $4
  FROM waiting n
 WHERE w.organization_id = n.organization_id AND w.site_id = n.site_id
