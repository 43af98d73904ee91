-- Rows of organizations as text, without names that other organizations of this deployment have. Each with its id, and
-- its names in URLs before and after.
-- $1 rows as text.
SELECT (r.row).id AS id, coalesce((r.row).address_name, (r.row).slug, (r.row).id::text) AS before,
       coalesce((n.row).address_name, (n.row).slug, (n.row).id::text) AS after, n.row::text AS line
  FROM (SELECT t.line::organizations AS row FROM unnest($1) AS t (line) OFFSET 0) r
 CROSS JOIN LATERAL (
       SELECT jsonb_populate_record(
                  r.row,
                  CASE WHEN EXISTS (SELECT 1
                                      FROM organizations o
                                     WHERE (r.row).slug IN (o.slug, o.address_name))
                       THEN '{"slug": null}' ELSE '{}' END::jsonb
                  || CASE WHEN EXISTS (SELECT 1 FROM organizations o WHERE o.slug = (r.row).address_name)
                          THEN '{"address_name": null}' ELSE '{}' END::jsonb) AS row) n
