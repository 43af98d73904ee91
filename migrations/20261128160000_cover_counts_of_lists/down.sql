DROP INDEX organization_members_seen;
CREATE INDEX organization_members_seen
    ON organization_members (organization_id, last_seen_at, user_id) WHERE last_seen_at IS NOT NULL;
DROP INDEX organization_members_joined;
CREATE INDEX organization_members_joined ON organization_members (organization_id, joined_at, user_id);
DROP INDEX comments_space_author;
CREATE INDEX comments_space_author ON comments (space_id, posted_by);
DROP INDEX comments_page;
CREATE INDEX comments_page
    ON comments (space_id, change_request_id, target_page, id) WHERE target_page IS NOT NULL;
