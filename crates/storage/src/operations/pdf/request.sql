-- Stores a request for a PDF, or extends an existing one with the same content. A failed PDF is rendered again, a ready
-- one is kept. Returns its id and state.
-- $1 space, $2 id, $3 revision, $4 page, $5 only this page, $6 title, $7 subtitle, $8 hash of the content, $9 time, $10
-- expiry, $11 whether it shows only specifications that the space shows.
INSERT INTO pdfs
    (space_id, id, revision_id, page_id, only_page, title, subtitle, shows, state, created_at, expires_at,
     only_shown_specs)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting', $9, $10, $11)
    ON CONFLICT (space_id, shows) DO UPDATE
   SET expires_at = greatest(pdfs.expires_at, excluded.expires_at),
       state = CASE WHEN pdfs.state = 'ready' THEN 'ready' ELSE 'waiting' END
RETURNING id, state
