-- Revisions whose parents are missing.
SELECT format('revision %s of space %s follows %s, which is missing', v.id, v.space_id, p.id)
  FROM revisions v
 CROSS JOIN LATERAL unnest(v.parents) p (id)
 WHERE NOT EXISTS (SELECT FROM revisions o WHERE o.space_id = v.space_id AND o.id = p.id)
