//! The groups of operations.

use utoipa::openapi::tag::{Tag, TagBuilder};

/// Each group with its description, in the order of the documentation.
const TAGS: &[(&str, &str)] = &[
    ("Service", "Version, health and measurements of the service."),
    ("User", "The user whose token is used, and the tokens of that user."),
    ("Organizations", "Organizations, which own collections, spaces and sites."),
    ("Members", "Members of organizations and their roles."),
    ("Invites", "Invitations to organizations, spaces and collections."),
    ("Teams", "Groups of members."),
    ("Permissions", "Grants of roles on spaces and collections."),
    ("Spaces", "Spaces, which hold documentation content."),
    ("Collections", "Collections of spaces and of other collections."),
    (
        "Content",
        "Content of spaces and change requests: revisions, pages, documents, files, imports and exports.",
    ),
    ("Change requests", "Proposed changes to the content of a space, their reviews and their merges."),
    ("Comments", "Discussions of spaces and change requests."),
    ("Search", "Search in the content of spaces."),
    ("Sites", "Published sites, their sections, settings and share links."),
    ("Custom fields", "Typed metadata of spaces."),
    ("OpenAPI specifications", "Stored OpenAPI specifications, which pages are computed from."),
    ("Translations", "Settings of translations."),
    ("SAML and SSO", "Providers of single sign-on."),
    ("Integrations", "Integrations and their installations."),
    ("Webhooks", "Events that are sent to other services."),
    ("Audit log", "Changes that were made in an organization."),
];

pub(super) fn tags() -> Vec<Tag> {
    let tag = |(name, description): &(&str, &str)| {
        TagBuilder::new().name(*name).description(Some(*description)).build()
    };
    TAGS.iter().map(tag).collect()
}
