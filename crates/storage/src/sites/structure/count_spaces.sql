-- Number of the spaces on a site that `list_spaces.sql` lists.
-- $1 hash of the reader's token, $2 time, $3 organization, $4 site, $5 whether to ignore roles on the spaces, $6 only
-- default spaces or only others (null for all).
SELECT count(*)
  FROM (SELECT s.id, s.organization_id, s.collection_id, s.default_level,
               row_number() OVER (PARTITION BY p.section_id ORDER BY p.is_default DESC, p.position, p.id) = 1
                   AS is_default
          FROM site_spaces p
          JOIN spaces s
            ON s.organization_id = p.organization_id AND s.id = p.space_id AND s.deleted_at IS NULL
         WHERE p.organization_id = $3 AND p.site_id = $4) v
  LEFT JOIN api_tokens t
    ON t.hash = $1 AND (t.expires_at IS NULL OR t.expires_at > $2)
   AND (t.organizations IS NULL OR v.organization_id = ANY (t.organizations))
  LEFT JOIN organization_members m ON m.organization_id = v.organization_id AND m.user_id = t.user_id
  LEFT JOIN collections c ON c.organization_id = v.organization_id AND c.id = v.collection_id
 CROSS JOIN LATERAL effective_role(
           m.role, m.disabled, v.organization_id, t.user_id, v.id, c.path, v.default_level) er
 WHERE ($5 OR er.role IS NOT NULL) AND ($6 IS NULL OR v.is_default = $6)
