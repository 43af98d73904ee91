-- Pages of versions with the parts to which they refer. A shared part is returned once. Parts have a place, pages have
-- none.
-- $1 organization, $2 versions, $3 the page of each.
WITH pages AS (
    SELECT p.version_id, p.ordinal, p.body, p.parts
      FROM unnest($2, $3) AS w (version_id, ordinal)
      JOIN openapi_spec_pages p
        ON p.organization_id = $1 AND p.version_id = w.version_id AND p.ordinal = w.ordinal)
SELECT version_id, ordinal, NULL::text AS place, body, parts
  FROM pages
 UNION ALL
SELECT p.version_id, p.ordinal, p.place, p.body, '{}'::integer[]
  FROM (SELECT DISTINCT version_id, unnest(parts) AS ordinal FROM pages) n
  JOIN openapi_spec_parts p
    ON p.organization_id = $1 AND p.version_id = n.version_id AND p.ordinal = n.ordinal
