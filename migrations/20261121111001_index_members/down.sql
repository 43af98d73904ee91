DROP INDEX organizations_email_domains;
DROP INDEX organization_members_seen;
DROP INDEX organization_members_joined;
