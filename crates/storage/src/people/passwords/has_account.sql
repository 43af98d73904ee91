-- True if an address signs a user in. $1 address.
SELECT EXISTS (SELECT 1 FROM users u WHERE lower(u.email) = lower($1) OR lower(u.login_email) = lower($1))
