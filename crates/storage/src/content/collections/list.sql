-- Page of the collections of an organization that the reader sees, in their order, with the reader's role on each.
-- $1 hash of the reader's token, $2 time, $3 organization, $4 whether to include nested collections, $5 parent or nil,
-- $6 position and $7 id after which the page starts, $8 limit.
SELECT v.role,
       $columns(c)
  FROM (SELECT p.*
          FROM (SELECT a.organization_id, a.id, a.position, a.role,
                       coalesce(a.parent_id, '00000000-0000-0000-0000-000000000000') AS place
                  FROM collection_access a
                 WHERE a.token_hash = $1 AND (a.token_expires_at IS NULL OR a.token_expires_at > $2)
                   AND a.organization_id = $3 AND ($4 OR a.parent_id IS NULL)) p
         WHERE p.role IS NOT NULL
           AND (p.place, p.position, p.id) > ($5, $6, $7)
         ORDER BY p.place, p.position, p.id
         LIMIT $8) v
  JOIN collections c ON c.organization_id = v.organization_id AND c.id = v.id
 ORDER BY v.place, v.position, v.id
