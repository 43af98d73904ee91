-- Writes redirects of a site: inserts new ones, and replaces all values of existing ones.
-- $1 organization, $2 site, $3 ids, $4 sources, $5 whether they are drafts, $6 whether they capture the rest, $7
-- whether they are permanent, $8 destinations, $9 time.
INSERT INTO site_redirects
       (organization_id, site_id, id, source, draft, capture_wildcard, permanent, destination, created_at)
SELECT $1::uuid, $2::uuid, r.id, r.source, r.draft, r.capture_wildcard, r.permanent, r.destination, $9
  FROM unnest($3, $4, $5, $6, $7, $8)
       AS r (id, source, draft, capture_wildcard, permanent, destination)
    ON CONFLICT (organization_id, site_id, id) DO UPDATE
   SET source = excluded.source, draft = excluded.draft, capture_wildcard = excluded.capture_wildcard,
       permanent = excluded.permanent, destination = excluded.destination, updated_at = $9
