-- Statements that make the settings the defaults of this role in this database, for those that are not yet. $1 names,
-- $2 values.
SELECT format('ALTER ROLE %I IN DATABASE %I SET %I = %L', session_user, current_database(), w.name, w.value)
  FROM unnest($1, $2) AS w (name, value)
 WHERE NOT EXISTS (
           SELECT
             FROM pg_db_role_setting s
             JOIN pg_database d ON d.oid = s.setdatabase
             JOIN pg_roles r ON r.oid = s.setrole
            WHERE d.datname = current_database() AND r.rolname = session_user
              AND w.name || '=' || w.value = ANY (s.setconfig))
