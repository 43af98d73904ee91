-- Replaces the set of pages of a change request that a user has viewed. $1 space, $2 change request, $3 user, $4 pages.
INSERT INTO change_request_views (space_id, change_request_id, user_id, pages)
VALUES ($1, $2, $3, $4)
    ON CONFLICT (space_id, change_request_id, user_id) DO UPDATE SET pages = excluded.pages
