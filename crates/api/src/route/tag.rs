//! Groups of operations.

/// Declares the groups, each with its name and description.
macro_rules! tags {
    ($($tag:ident = $name:literal, $description:literal;)*) => {
        /// Group of operations in the documentation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Tag {
            $(#[doc = $description] $tag,)*
        }

        impl Tag {
            /// All groups, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$tag,)*];

            /// Returns the name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$tag => $name,)*
                }
            }

            /// Returns the description.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self {
                    $(Self::$tag => $description,)*
                }
            }
        }
    };
}

tags! {
    Service = "Service", "Version, health and metrics of the service.";
    User = "User", "The current user, the user's API tokens and sessions.";
    Organizations = "Organizations", "Organizations, which own collections, spaces and sites.";
    Members = "Members", "Members of organizations and their roles.";
    Invites = "Invites", "Invitations to organizations, spaces and collections.";
    Teams = "Teams", "Groups of members.";
    Permissions = "Permissions", "Grants of roles on spaces and collections.";
    Spaces = "Spaces", "Spaces, which hold documentation content.";
    Collections = "Collections", "Collections of spaces and of other collections.";
    Content = "Content", "Content of spaces and change requests: revisions, pages, documents, files, imports and exports.";
    ChangeRequests = "Change requests", "Proposed changes to the content of a space, their reviews and their merges.";
    Comments = "Comments", "Comments on spaces and change requests, and their replies.";
    Events = "Events", "Streams of changes of content, and the users who have it open.";
    Search = "Search", "Full-text search in the content of spaces.";
    Sites = "Sites", "Sites, with their structure, settings and share links.";
    CustomFields = "Custom fields", "Typed metadata of spaces.";
    OpenApiSpecs = "OpenAPI specifications", "OpenAPI specifications, from which pages can be computed.";
    Translations = "Translations", "Translation settings.";
    Sso = "SAML and SSO", "SAML providers and single sign-on.";
    Integrations = "Integrations", "Integrations and their installations.";
    Webhooks = "Webhooks", "Delivery of events to other services.";
    AuditLog = "Audit log", "Record of changes in an organization.";
}
