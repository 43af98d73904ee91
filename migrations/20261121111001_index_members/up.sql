-- Lists of members in either order, and organizations by the e-mail domain of their people.

CREATE INDEX organization_members_joined ON organization_members (organization_id, joined_at, user_id);
CREATE INDEX organization_members_seen ON organization_members (organization_id, last_seen_at, user_id) WHERE last_seen_at IS NOT NULL;
CREATE INDEX organizations_email_domains ON organizations USING gin (email_domains);
