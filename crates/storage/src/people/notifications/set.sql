-- Sets the delivery of mails about kinds of entries, if the user exists. $1 user, $2 kinds, $3 deliveries.
INSERT INTO notification_settings (user_id, kind, delivery)
SELECT u.id, s.kind, s.delivery
  FROM users u
 CROSS JOIN unnest($2, $3) AS s (kind, delivery)
 WHERE u.id = $1
    ON CONFLICT (user_id, kind) DO UPDATE SET delivery = excluded.delivery
