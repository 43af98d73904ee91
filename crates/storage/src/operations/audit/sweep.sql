-- Deletes a batch of old entries. The index on times finds the oldest entries of each organization.
-- $1 time of the oldest entry to keep, $2 size of the batch.
DELETE FROM audit_entries a
 USING (SELECT e.organization_id, e.id
          FROM organizations o
         CROSS JOIN LATERAL (SELECT organization_id, id
                               FROM audit_entries
                              WHERE organization_id = o.id AND created_at < $1
                              ORDER BY created_at
                              LIMIT $2) e
         LIMIT $2) old
 WHERE a.organization_id = old.organization_id AND a.id = old.id
