-- Revisions of the main content that are the first parent of several others, which means a lost update.
SELECT format('%s revisions of space %s follow revision %s', count(*), v.space_id, v.parents[1])
  FROM revisions v
 WHERE v.change_request_id IS NULL AND cardinality(v.parents) > 0
 GROUP BY v.space_id, v.parents[1]
HAVING count(*) > 1
