-- Creates an invite link to an organization, or to one of its spaces or collections. Writes no row if that is deleted.
-- $1 organization, $2 id, $3 space and $4 collection, at least one of them null, $5 role, $6 creator, $7 time, $8 seed.
INSERT INTO organization_invites
       (organization_id, id, space_id, collection_id, role, created_by, created_at, seed)
SELECT $1, $2, $3, $4, $5, $6, $7, $8
 WHERE ($3 IS NULL OR EXISTS (SELECT 1
                                FROM spaces s
                               WHERE s.organization_id = $1 AND s.id = $3 AND s.deleted_at IS NULL
                                 FOR KEY SHARE))
   AND ($4 IS NULL OR EXISTS (SELECT 1
                                FROM collections c
                               WHERE c.organization_id = $1 AND c.id = $4
                                 FOR KEY SHARE))
