-- Merge rules of a change request (the rules of the space, or else of the organization) and the facts that they check:
-- the author, the subject, whether there is a description, the number of open comments, and whether the space has newer
-- content.
-- $1 space, $2 change request.
SELECT coalesce(s.merge_rules, o.merge_rules) AS rules, c.created_by, c.subject,
       EXISTS (SELECT FROM change_request_descriptions d
                WHERE d.space_id = c.space_id AND d.change_request_id = c.id) AS has_description,
       c.comments_open,
       coalesce(c.revision_merged_ancestor, c.revision_initial) <> s.head_revision AS is_outdated
  FROM change_requests c
  JOIN spaces s ON s.id = c.space_id
  JOIN organizations o ON o.id = s.organization_id
 WHERE c.space_id = $1 AND c.id = $2
