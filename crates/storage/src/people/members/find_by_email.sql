-- Members of an organization with one of these addresses, with the given form of the address. An address without a user
-- probes the membership of the nil id, so it costs as much as an address whose user is not a member. PostgreSQL
-- compares the addresses, because the index uses its `lower`.
-- $1 organization, $2 addresses.
SELECT m.user_id, given.email
  FROM unnest($2) AS given (email)
  LEFT JOIN users u ON lower(u.email) = lower(given.email)
  JOIN organization_members m
    ON m.organization_id = $1 AND m.user_id = coalesce(u.id, '00000000-0000-0000-0000-000000000000')
