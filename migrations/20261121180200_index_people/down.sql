DROP INDEX users_named;
