//! The groups of operations.

/// Declares the groups, each with its name and its description.
macro_rules! tags {
    ($($tag:ident = $name:literal, $description:literal;)*) => {
        /// A group of operations in the documentation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Tag {
            $(#[doc = $description] $tag,)*
        }

        impl Tag {
            /// All groups, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$tag,)*];

            /// The name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$tag => $name,)*
                }
            }

            /// The description.
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
    Service = "Service", "Version, health and measurements of the service.";
    User = "User", "The user whose token is used, and the tokens of that user.";
    Organizations = "Organizations", "Organizations, which own collections, spaces and sites.";
    Members = "Members", "Members of organizations and their roles.";
    Invites = "Invites", "Invitations to organizations, spaces and collections.";
    Teams = "Teams", "Groups of members.";
    Permissions = "Permissions", "Grants of roles on spaces and collections.";
    Spaces = "Spaces", "Spaces, which hold documentation content.";
    Collections = "Collections", "Collections of spaces and of other collections.";
    Content = "Content", "Content of spaces and change requests: revisions, pages, documents, files, imports and exports.";
    ChangeRequests = "Change requests", "Proposed changes to the content of a space, their reviews and their merges.";
    Comments = "Comments", "Discussions of spaces and change requests.";
    Search = "Search", "Search in the content of spaces.";
    Sites = "Sites", "Published sites, their sections, settings and share links.";
    CustomFields = "Custom fields", "Typed metadata of spaces.";
    OpenApiSpecs = "OpenAPI specifications", "Stored OpenAPI specifications, which pages are computed from.";
    Translations = "Translations", "Settings of translations.";
    Sso = "SAML and SSO", "Providers of single sign-on.";
    Integrations = "Integrations", "Integrations and their installations.";
    Webhooks = "Webhooks", "Events that are sent to other services.";
    AuditLog = "Audit log", "Changes that were made in an organization.";
}
