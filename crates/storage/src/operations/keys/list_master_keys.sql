-- Ids of the master keys that wrap keys in the database. The id is in bytes 2 to 9 of a wrapped key.
SELECT substring(secret FROM 2 FOR 8) AS id
  FROM deployment_keys
 UNION
SELECT substring(visitor_key FROM 2 FOR 8)
  FROM organizations
 WHERE visitor_key IS NOT NULL
 UNION
SELECT substring(wrapped_key FROM 2 FOR 8)
  FROM site_share_links
