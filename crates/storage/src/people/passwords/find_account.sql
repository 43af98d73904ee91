-- The user that an address signs in, with the hash of the password. A verified address precedes one that is not.
-- $1 address.
SELECT u.id, u.password_hash
  FROM (SELECT 1 AS rank, u.* FROM users u WHERE lower(u.email) = lower($1)
         UNION ALL
        SELECT 2, u.* FROM users u WHERE lower(u.login_email) = lower($1)) u
 ORDER BY u.rank
 LIMIT 1
