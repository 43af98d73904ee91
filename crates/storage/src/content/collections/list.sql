-- A page of the collections of an organization that the reader sees, in their order, with the role on each.
-- $1 hash of the reader's token, $2 time, $3 organization, $4 also those below others,
-- $5 parent or nil, $6 position and $7 id after which the page starts, $8 limit.
SELECT v.role,
       v.id, v.organization_id, v.parent_id, v.path, v.position, v.title, v.description, v.default_level
  FROM (SELECT c.*, coalesce(c.parent_id, '00000000-0000-0000-0000-000000000000') AS place
          FROM collection_access c
         WHERE c.token_hash = $1 AND (c.token_expires_at IS NULL OR c.token_expires_at > $2)
           AND c.organization_id = $3 AND ($4 OR c.parent_id IS NULL)) v
 WHERE v.role IS NOT NULL
   AND (v.place, v.position, v.id) > ($5, $6, $7)
 ORDER BY v.place, v.position, v.id
 LIMIT $8
