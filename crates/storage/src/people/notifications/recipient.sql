-- E-mail address for mails to a user: the verified one, or else the one that signs the user in, unless it is the
-- verified address of another user. $1 user.
SELECT coalesce(u.email, u.login_email)
  FROM users u
 WHERE u.id = $1 AND coalesce(u.email, u.login_email) IS NOT NULL
   AND (u.email IS NOT NULL
        OR NOT EXISTS (SELECT FROM users o WHERE lower(o.email) = lower(u.login_email)))
