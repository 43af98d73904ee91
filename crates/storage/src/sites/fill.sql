-- Adds spaces to a site without sections. The first one is the default.
-- $1 organization, $2 site, $3 ids of the site spaces, $4 spaces, $5 paths, $6 positions.
INSERT INTO site_spaces (organization_id, site_id, id, space_id, path, position, is_default)
SELECT $1, $2, n.id, n.space_id, n.path, n.position, n.number = 1
  FROM unnest($3, $4, $5, $6) WITH ORDINALITY AS n (id, space_id, path, position, number)
