-- Names of organizations in URLs that equal this one, or start with it and a suffix.
-- $1 name: lowercase letters, digits and `-`.
SELECT slug AS name FROM organizations WHERE slug = $1 OR starts_with(slug, $1 || '-')
 UNION
SELECT hostname AS name FROM organizations WHERE hostname = $1 OR starts_with(hostname, $1 || '-')
