DROP TABLE comment_reactions, comment_replies, comments;
