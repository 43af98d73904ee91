-- Names of given integrations that do not exist. $1 their ids, $2 their names.
SELECT w.name
  FROM unnest($1, $2) AS w (id, name)
 WHERE NOT EXISTS (SELECT FROM integrations i WHERE i.id = w.id)
 ORDER BY w.name
