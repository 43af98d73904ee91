-- The ids of the master keys that wrap keys of the database. A wrapped key has at least 49 bytes; the id is in bytes 2
-- to 9.
SELECT substring(secret FROM 2 FOR 8) AS id
  FROM deployment_keys
 WHERE octet_length(secret) >= 49
 UNION
SELECT substring(visitor_key FROM 2 FOR 8)
  FROM organizations
 WHERE octet_length(visitor_key) >= 49
 UNION
SELECT substring(wrapped_key FROM 2 FOR 8)
  FROM site_share_links
 WHERE octet_length(wrapped_key) >= 49
