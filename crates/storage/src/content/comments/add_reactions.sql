-- Adds emojis of one user to a comment or reply, unless it would have more than $8 different emojis. Existing
-- reactions of the user are kept. Returns the number of different emojis with the new ones, 0 without a new one.
-- $1 space, $2 comment, $3 reply, $4 user, $5 time, $6 ids and $7 emojis of the reactions, $8 maximum.
WITH present AS (
    SELECT DISTINCT r.emoji
      FROM comment_reactions r
     WHERE r.space_id = $1 AND r.comment_id = $2 AND coalesce(r.reply_id, r.comment_id) = coalesce($3, $2)
), counted AS (
    SELECT CASE WHEN count(*) > 0 THEN count(*) + (SELECT count(*) FROM present) ELSE 0 END AS emojis
      FROM (SELECT unnest($7) AS emoji EXCEPT SELECT p.emoji FROM present p) news
), added AS (
    INSERT INTO comment_reactions (space_id, id, comment_id, reply_id, user_id, emoji, reacted_at)
    SELECT $1, n.id, $2, $3, $4, n.emoji, $5
      FROM unnest($6, $7) AS n (id, emoji)
     WHERE (SELECT c.emojis FROM counted c) <= $8
     ORDER BY n.emoji
        ON CONFLICT DO NOTHING
)
SELECT c.emojis FROM counted c
