//! Statements that count inconsistencies of the database: counters, positions, numbers, parents and trees. They are
//! also in `crates/api/tests/api/recount.rs`.

/// Kinds of inconsistencies, with the statement that counts the affected rows.
pub const RECOUNT: [(&str, &str); 16] = [
    (
        "open comments of a space",
        "SELECT count(*) AS wrong FROM spaces s WHERE s.comments_open <> (SELECT count(*) FROM comments c \
         WHERE c.space_id = s.id AND c.change_request_id IS NULL AND c.status = 'open')",
    ),
    (
        "open comments of a change request",
        "SELECT count(*) AS wrong FROM change_requests r WHERE r.comments_open <> (SELECT count(*) FROM comments c \
         WHERE c.space_id = r.space_id AND c.change_request_id = r.id AND c.status = 'open')",
    ),
    (
        "resolved comments of a space",
        "SELECT count(*) AS wrong FROM spaces s WHERE s.comments_resolved <> (SELECT count(*) FROM comments c \
         WHERE c.space_id = s.id AND c.change_request_id IS NULL AND c.status = 'resolved')",
    ),
    (
        "resolved comments of a change request",
        "SELECT count(*) AS wrong FROM change_requests r WHERE r.comments_resolved <> (SELECT count(*) FROM comments c \
         WHERE c.space_id = r.space_id AND c.change_request_id = r.id AND c.status = 'resolved')",
    ),
    (
        "replies of a comment",
        "SELECT count(*) AS wrong FROM comments c WHERE c.replies <> (SELECT count(*) FROM comment_replies p \
         WHERE p.space_id = c.space_id AND p.comment_id = c.id)",
    ),
    (
        "change requests of a space, by status",
        "SELECT count(*) AS wrong FROM spaces s JOIN LATERAL (SELECT count(*) AS all, \
         count(*) FILTER (WHERE status = 'open') AS open, count(*) FILTER (WHERE status = 'draft') AS draft \
         FROM change_requests r WHERE r.space_id = s.id) n ON true \
         WHERE (s.change_requests, s.change_requests_open, s.change_requests_draft) <> (n.all, n.open, n.draft)",
    ),
    (
        "numbers of change requests, which have no gaps",
        "SELECT count(*) AS wrong FROM (SELECT 1 FROM change_requests GROUP BY space_id \
         HAVING min(number) <> 1 OR max(number) <> count(*)) r",
    ),
    (
        "revisions of a contributor",
        "SELECT count(*) AS wrong FROM change_request_contributors k WHERE k.revisions <> (SELECT count(*) FROM revisions r \
         WHERE r.space_id = k.space_id AND r.change_request_id = k.change_request_id AND r.author_id = k.user_id)",
    ),
    (
        "contributors of a change request",
        "SELECT count(*) AS wrong FROM (SELECT space_id, id, created_by FROM change_requests WHERE created_by IS NOT NULL \
         UNION SELECT space_id, change_request_id, author_id FROM revisions \
         WHERE change_request_id IS NOT NULL AND author_id IS NOT NULL) r \
         WHERE NOT EXISTS (SELECT FROM change_request_contributors k \
         WHERE (k.space_id, k.change_request_id, k.user_id) = (r.space_id, r.id, r.created_by))",
    ),
    (
        "positions, of which no two things of a resource have one",
        "SELECT count(*) AS wrong FROM (SELECT 1 FROM (SELECT organization_id, collection_id AS parent, position FROM spaces \
         UNION ALL SELECT organization_id, parent_id, position FROM collections) t \
         GROUP BY organization_id, parent, position HAVING count(*) > 1) d",
    ),
    (
        "paths of collections",
        "WITH RECURSIVE walk AS (SELECT organization_id, id, ARRAY[id] AS path FROM collections WHERE parent_id IS NULL \
         UNION ALL SELECT c.organization_id, c.id, w.path || c.id FROM collections c \
         JOIN walk w ON w.organization_id = c.organization_id AND w.id = c.parent_id) \
         SELECT count(*) AS wrong FROM collections c WHERE NOT EXISTS (SELECT FROM walk w WHERE w.id = c.id AND w.path = c.path)",
    ),
    (
        "merged change requests and the revisions that merged them",
        "SELECT count(*) AS wrong FROM change_requests r FULL JOIN \
         (SELECT space_id, merged_from, id FROM revisions WHERE type = 'merge') m \
         ON m.space_id = r.space_id AND m.merged_from = r.id \
         WHERE r.revision_merged IS DISTINCT FROM m.id",
    ),
    (
        "revisions whose first parent isn't the head that they followed: a lost update",
        "SELECT count(*) AS wrong FROM (SELECT 1 FROM revisions WHERE change_request_id IS NULL AND cardinality(parents) > 0 \
         GROUP BY space_id, parents[1] HAVING count(*) > 1) f",
    ),
    (
        "roles of people who are no members",
        "SELECT count(*) AS wrong FROM content_grants g WHERE g.user_id IS NOT NULL AND NOT EXISTS (SELECT FROM organization_members m \
         WHERE m.organization_id = g.organization_id AND m.user_id = g.user_id)",
    ),
    (
        "roles on what has gone to another organization",
        "SELECT count(*) AS wrong FROM content_grants g LEFT JOIN spaces s ON s.id = g.space_id \
         LEFT JOIN collections c ON c.id = g.collection_id \
         WHERE g.organization_id <> coalesce(s.organization_id, c.organization_id)",
    ),
    (
        "spaces in a collection of another organization",
        "SELECT count(*) AS wrong FROM spaces s WHERE s.collection_id IS NOT NULL AND NOT EXISTS (SELECT FROM collections c \
         WHERE c.organization_id = s.organization_id AND c.id = s.collection_id)",
    ),
];
