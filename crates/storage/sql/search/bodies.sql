-- Documents of several spaces. $1 spaces, $2 the document of each.
SELECT d.id, d.body
  FROM unnest($1, $2) AS w (space_id, id)
  JOIN documents d ON d.space_id = w.space_id AND d.id = w.id
