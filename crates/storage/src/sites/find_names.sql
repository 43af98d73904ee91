-- Names in URLs of an organization's other sites that equal this one, or start with it and a suffix.
-- $1 organization, $2 name, $3 the site.
SELECT n.name
  FROM sites w
 CROSS JOIN LATERAL unnest(ARRAY[w.slug, w.basename]) AS n (name)
 WHERE w.organization_id = $1 AND w.id <> $3 AND (n.name = $2 OR starts_with(n.name, $2 || '-'))
