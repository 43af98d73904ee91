-- Members and OpenAPI specifications of an organization, in one statement. The full join pairs none of them, because no
-- user has the id of a specification.
-- $1 organization, $2 users, $3 slugs and $4 ids of specifications.
SELECT u.id, u.email, u.display_name, u.photo_url, s.id, s.organization_id, s.slug, s.source_url,
       s.generation, s.processing_state, s.last_version_id, s.last_processed_at, s.last_process_error,
       s.created_at, s.updated_at
  FROM (SELECT p.*
          FROM organization_members m
          JOIN users p ON p.id = m.user_id
         WHERE m.organization_id = $1 AND m.user_id = ANY ($2)) u
  FULL JOIN (SELECT o.*
               FROM openapi_specs o
              WHERE o.organization_id = $1 AND (o.slug = ANY ($3) OR o.id = ANY ($4))) s
    ON s.id = u.id
