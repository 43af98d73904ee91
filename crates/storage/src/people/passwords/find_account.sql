-- User who signs in with an address, with the password hash. A verified address takes precedence over an unverified
-- one.
-- $1 address.
SELECT u.id, u.password_hash
  FROM (SELECT 1 AS rank, u.* FROM users u WHERE lower(u.email) = lower($1)
         UNION ALL
        SELECT 2, u.* FROM users u WHERE lower(u.login_email) = lower($1)) u
 ORDER BY u.rank
 LIMIT 1
