-- Deployment keys in rows as text, each with the existing key of the same name: row, name, secret and existing secret.
-- $1 rows. OFFSET keeps PostgreSQL from parsing each row once per column.
SELECT r.line, (r.row).name, (r.row).secret, k.secret
  FROM (SELECT t.line, t.line::deployment_keys AS row FROM unnest($1) AS t (line) OFFSET 0) AS r
  LEFT JOIN deployment_keys k ON k.name = (r.row).name
