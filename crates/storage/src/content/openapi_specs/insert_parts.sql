-- Inserts the parts to which pages of a version refer.
-- $1 organization, $2 version; one value per part: $3 JSON pointer, $4 body.
INSERT INTO openapi_spec_parts (organization_id, version_id, ordinal, place, body)
SELECT $1, $2, p.ordinal - 1, p.place, p.body
  FROM unnest($3, $4) WITH ORDINALITY AS p (place, body, ordinal)
