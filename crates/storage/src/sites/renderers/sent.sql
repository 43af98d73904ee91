-- Writes the result of an attempt and ends the lease of a renderer, while its holder has it. The end of the lease is
-- not set to null, because `lease.sql` orders by it.
-- $1 organization, $2 site, $3 end of the lease, $4 number of failures, $5 milliseconds until the next attempt, $6 time
-- of this one, $7 HTTP status, $8 error, $9 time of leases and pauses (null for the time of the database).
UPDATE site_renderers
   SET failures = $4, next_attempt_at = (SELECT coalesce($9, now())) + $5 * interval '1 millisecond',
       last_attempt_at = $6, last_status = $7, last_error = $8, leased_until = (SELECT coalesce($9, now()))
 WHERE organization_id = $1 AND site_id = $2 AND leased_until = $3
