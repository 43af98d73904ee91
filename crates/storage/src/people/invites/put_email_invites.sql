-- Creates e-mail invites, one per address, and returns them. An invite replaces a pending one to the same address,
-- whose secret cannot be shown again.
-- $1 organization, $2 ids, $3 addresses, $4 roles, $5 hashes of the secrets, $6 single sign-on, $7 time, $8 expiry.
INSERT INTO email_invites (organization_id, id, email, role, sso, secret_hash, created_at, expires_at)
SELECT DISTINCT ON (lower(n.email)) $1, n.id, n.email, n.role, $6, n.secret_hash, $7, $8
  FROM unnest($2, $3, $4, $5) WITH ORDINALITY AS n (id, email, role, secret_hash, number)
 ORDER BY lower(n.email), n.number
    ON CONFLICT (organization_id, lower(email)) DO UPDATE
       SET id = excluded.id, email = excluded.email, role = excluded.role, sso = excluded.sso,
           secret_hash = excluded.secret_hash, mailed_secret_hash = NULL, created_at = excluded.created_at,
           expires_at = excluded.expires_at
RETURNING id, email, role, sso, created_at, expires_at
