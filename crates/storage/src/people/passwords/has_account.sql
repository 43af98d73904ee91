-- Returns whether a user can sign in with an address. $1 address.
SELECT EXISTS (SELECT 1 FROM users u WHERE lower(u.email) = lower($1) OR lower(u.login_email) = lower($1))
