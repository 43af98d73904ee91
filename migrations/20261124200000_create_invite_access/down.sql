DROP VIEW invite_access;
