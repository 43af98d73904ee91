-- Merged change requests without the revision of their merge, and merge revisions without their change request.
SELECT format('change request %s of space %s was merged by revision %s, and its row says %s',
              coalesce(r.id, m.merged_from), coalesce(r.space_id, m.space_id),
              coalesce(m.id::text, 'none'), coalesce(r.revision_merged::text, 'none'))
  FROM change_requests r
  FULL JOIN (SELECT v.space_id, v.merged_from, v.id
               FROM revisions v
              WHERE v.type = 'merge') m ON m.space_id = r.space_id AND m.merged_from = r.id
 WHERE r.revision_merged IS DISTINCT FROM m.id
