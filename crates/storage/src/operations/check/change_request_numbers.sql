-- Spaces whose change requests are not numbered from 1 without gaps.
SELECT format('the %s change requests of space %s are numbered from %s to %s', count(*), r.space_id,
              min(r.number), max(r.number))
  FROM change_requests r
 GROUP BY r.space_id
HAVING min(r.number) <> 1 OR max(r.number) <> count(*)
