-- Adds emojis of one user to a comment or reply. Existing reactions of the user are kept.
-- $1 space, $2 comment, $3 reply, $4 user, $5 time, $6 ids and $7 emojis of the reactions.
INSERT INTO comment_reactions (space_id, id, comment_id, reply_id, user_id, emoji, reacted_at)
SELECT $1, n.id, $2, $3, $4, n.emoji, $5
  FROM unnest($6, $7) AS n (id, emoji)
 ORDER BY n.emoji
    ON CONFLICT DO NOTHING
