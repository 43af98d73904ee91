-- Sets the addresses of users, except to an address that another user has.
-- $1 users, $2 their addresses.
UPDATE users u
   SET email = e.email
  FROM unnest($1, $2) AS e (id, email)
 WHERE u.id = e.id
   AND NOT EXISTS (SELECT 1 FROM users o WHERE o.id <> u.id AND lower(o.email) = lower(e.email))
