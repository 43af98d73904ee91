-- E-mail addresses in lower case and in Unicode's composed form, as they are written since. An address whose canonical
-- form another user or invite has stays as it is.

UPDATE users u
   SET email = lower(normalize(u.email, NFC))
 WHERE u.email <> lower(normalize(u.email, NFC))
   AND NOT EXISTS (SELECT 1
                     FROM users o
                    WHERE o.id <> u.id AND lower(normalize(o.email, NFC)) = lower(normalize(u.email, NFC)));

UPDATE email_invites i
   SET email = lower(normalize(i.email, NFC))
 WHERE i.email <> lower(normalize(i.email, NFC))
   AND NOT EXISTS (SELECT 1
                     FROM email_invites o
                    WHERE o.organization_id = i.organization_id AND o.id <> i.id
                      AND lower(normalize(o.email, NFC)) = lower(normalize(i.email, NFC)));
