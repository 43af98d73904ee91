-- Extends or ends the lease of a webhook, while its holder has it, and returns its new end.
-- $1 organization, $2 webhook, $3 end of the lease, $4 time (null for the time of the database), $5 milliseconds from
-- it to the new end.
UPDATE webhooks
   SET leased_until = (SELECT coalesce($4, now())) + $5 * interval '1 millisecond'
 WHERE organization_id = $1 AND id = $2 AND leased_until = $3
RETURNING leased_until
