-- Adds a member, or raises the role of an existing one (`policy::joined_role`). Returns the role and whether the member
-- is new. `greatest` ignores null, the role of a guest.
-- $1 organization, $2 user, $3 role, $4 time, $5 single sign-on.
INSERT INTO organization_members (organization_id, user_id, role, joined_at, sso)
VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (organization_id, user_id) DO UPDATE
       SET role = greatest(organization_members.role, excluded.role),
           sso = organization_members.sso OR excluded.sso
RETURNING role, xmax = 0 AS is_new
