-- Inserts the pages of a version.
-- $1 organization, $2 version; one value per page: $3 index of the parent, $4 kind, $5 JSON pointer, $6 title, $7 slug,
-- $8 description, $9 icon, $10 body, $11 indexes of the parts, as the text of an array.
INSERT INTO openapi_spec_pages
       (organization_id, version_id, ordinal, parent, kind, place, title, slug, description, icon, body,
        parts)
SELECT $1, $2, p.ordinal - 1, p.parent, p.kind, p.place, p.title, p.slug, p.description, p.icon, p.body,
       p.parts::integer[]
  FROM unnest($3, $4, $5, $6, $7, $8, $9, $10, $11) WITH ORDINALITY
       AS p (parent, kind, place, title, slug, description, icon, body, parts, ordinal)
