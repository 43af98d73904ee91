-- Sets the addresses of e-mail invites, except to an address that another invite of the organization has.
-- $1 invites, $2 their addresses.
UPDATE email_invites i
   SET email = e.email
  FROM unnest($1, $2) AS e (id, email)
 WHERE i.id = e.id
   AND NOT EXISTS (SELECT 1
                     FROM email_invites o
                    WHERE o.organization_id = i.organization_id AND o.id <> i.id
                      AND lower(o.email) = lower(e.email))
