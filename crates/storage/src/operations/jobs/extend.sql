-- Extends the lease of a job, while its last take holds it.
-- $1 id, $2 number of the take, $3 time (null for the time of the database), $4 milliseconds of the lease.
UPDATE jobs
   SET leased_until = (SELECT coalesce($3, now())) + $4 * interval '1 millisecond'
 WHERE id = $1 AND taken = $2 AND leased_until IS NOT NULL
