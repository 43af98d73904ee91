-- Leases the job that has waited longest, and returns it. Jobs that other workers are taking are skipped.
-- $1 time (null for the time of the database), $2 milliseconds of the lease, $3 kinds.
UPDATE jobs
   SET leased_until = (SELECT coalesce($1, now())) + $2 * interval '1 millisecond',
       attempts = attempts + 1,
       taken = taken + 1
 WHERE id = (SELECT id
               FROM jobs
              WHERE given_up_at IS NULL AND run_at <= coalesce($1, now())
                AND (leased_until IS NULL OR leased_until <= coalesce($1, now())) AND kind = ANY ($3)
              ORDER BY run_at, id
              LIMIT 1
                FOR UPDATE SKIP LOCKED)
RETURNING id, kind, payload, attempts, taken
