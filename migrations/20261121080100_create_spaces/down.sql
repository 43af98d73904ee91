DROP FUNCTION effective_role(smallint, boolean, uuid, uuid, uuid, uuid[], smallint);
DROP TABLE content_grants, spaces, collections;
