-- Replaced revisions to which a head or another revision still refers.
SELECT format('revision %s of space %s was replaced, and is the head of change request %s',
              v.id, v.space_id, r.id)
  FROM revisions v
  JOIN change_requests r ON r.space_id = v.space_id AND r.head_revision = v.id
 WHERE v.replaced_at IS NOT NULL
 UNION ALL
SELECT format('revision %s of space %s was replaced, and revision %s follows it', v.id, v.space_id, n.id)
  FROM revisions v
  JOIN revisions n ON n.space_id = v.space_id AND v.id = ANY (n.parents)
 WHERE v.replaced_at IS NOT NULL
