-- Ends the lease of a job, while its last take holds it, and returns the time of its next run.
-- $1 id, $2 number of the take, $3 time (null for the time of the database), $4 milliseconds until the next run, $5
-- error of a failed attempt, or null after a success, which resets the number of attempts.
UPDATE jobs
   SET run_at = (SELECT coalesce($3, now())) + $4 * interval '1 millisecond',
      leased_until = NULL, last_error = $5,
       attempts = CASE WHEN $5 IS NULL THEN 0 ELSE attempts END
 WHERE id = $1 AND taken = $2 AND leased_until IS NOT NULL
RETURNING run_at
