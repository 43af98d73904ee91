-- Deletes links that expired before a time. $1 time.
DELETE FROM sign_in_links WHERE expires_at < $1
