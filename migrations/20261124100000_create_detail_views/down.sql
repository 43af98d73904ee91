DROP VIEW reviewer_details, review_details, reply_details, comment_details;
