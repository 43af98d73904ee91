-- User in rows as text whose id belongs to a user with another e-mail address: that address, or the id.
-- $1 rows. OFFSET keeps PostgreSQL from parsing each row once per column.
SELECT coalesce((r.row).email, (r.row).id::text)
  FROM (SELECT t.line::users AS row FROM unnest($1) AS t (line) OFFSET 0) AS r
  JOIN users u ON u.id = (r.row).id
 WHERE lower(u.email) IS DISTINCT FROM lower((r.row).email)
 LIMIT 1
