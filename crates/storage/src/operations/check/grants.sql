-- Grants to users who are not members, and on spaces and collections of other organizations.
SELECT format('grant %s of organization %s is for user %s, who is not a member', g.id,
              g.organization_id, g.user_id)
  FROM content_grants g
 WHERE g.user_id IS NOT NULL
   AND NOT EXISTS (SELECT
                     FROM organization_members m
                    WHERE m.organization_id = g.organization_id AND m.user_id = g.user_id)
 UNION ALL
SELECT format('grant %s of organization %s is on content of organization %s', g.id, g.organization_id,
              coalesce(s.organization_id, c.organization_id))
  FROM content_grants g
  LEFT JOIN spaces s ON s.id = g.space_id
  LEFT JOIN collections c ON c.id = g.collection_id
 WHERE g.organization_id <> coalesce(s.organization_id, c.organization_id)
