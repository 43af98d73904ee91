-- Name of the user of a sign-in link, and whether the link can still be used. $1 hash of its secret, $2 time.
SELECT u.display_name, l.used_at IS NULL AND l.expires_at > $2
  FROM sign_in_links l
  JOIN users u ON u.id = l.user_id
 WHERE l.hash = $1
