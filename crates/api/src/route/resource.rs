//! Resources of routes, with their tags and the objects of their audit log entries.

/// Path with its tag and its object. Every route belongs to a resource.
#[derive(Clone, Copy, Debug)]
pub struct Resource {
    pub(super) tag: Tag,
    pub(super) path: &'static str,
    pub(super) object: Option<Object>,
}

impl Tag {
    /// Returns a resource with this tag. `object` is the object that audit log entries name; `None` without entries or
    /// without a path parameter.
    #[must_use]
    pub const fn at(self, path: &'static str, object: Option<Object>) -> Resource {
        Resource { tag: self, path, object }
    }
}

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

/// Declares the objects, each with its kind in entries and the path parameter that holds its id.
macro_rules! objects {
    ($($(#[$doc:meta])* $object:ident = $kind:literal in $parameter:literal;)*) => {
        /// Object that the path of a request names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Object {
            $($(#[$doc])* $object,)*
        }

        impl Object {
            /// Returns the kind, as the target of an entry shows it.
            #[must_use]
            pub const fn kind(self) -> &'static str {
                match self {
                    $(Self::$object => $kind,)*
                }
            }

            /// Returns the path parameter that holds the id.
            #[must_use]
            pub const fn parameter(self) -> &'static str {
                match self {
                    $(Self::$object => $parameter,)*
                }
            }
        }
    };
}

objects! {
    /// An API token.
    ApiToken = "api-token" in "tokenId";
    /// A change request.
    ChangeRequest = "change-request" in "changeRequestId";
    /// A collection.
    Collection = "collection" in "collectionId";
    /// A comment.
    Comment = "comment" in "commentId";
    /// A reply to a comment.
    CommentReply = "comment-reply" in "commentReplyId";
    /// A custom field.
    CustomField = "custom-field" in "fieldName";
    /// A connection of a space to a Git repository.
    GitInstallation = "git-sync-installation" in "gitInstallationId";
    /// An import.
    Import = "import" in "importId";
    /// An installation of an integration.
    Installation = "installation" in "installationId";
    /// An integration.
    Integration = "integration" in "integrationName";
    /// An e-mail invite.
    Invite = "invite" in "inviteId";
    /// An invite link. Its id gives access to its bearer.
    InviteLink = "invite" in "inviteId";
    /// A user in an organization.
    Member = "member" in "userId";
    /// An OpenID Connect provider.
    OidcProvider = "oidc-provider" in "oidcProviderId";
    /// An OpenAPI specification.
    OpenApiSpec = "openapi-spec" in "specSlug";
    /// An organization.
    Organization = "organization" in "organizationId";
    /// A page.
    Page = "page" in "pageId";
    /// A passkey of a user.
    Passkey = "passkey" in "passkeyId";
    /// A review of a change request.
    Review = "change-request-review" in "reviewId";
    /// A session of a browser.
    Session = "session" in "sessionId";
    /// A SAML provider.
    SamlProvider = "saml-provider" in "samlProviderId";
    /// A redirect of a site.
    SiteRedirect = "site-redirect" in "siteRedirectId";
    /// A share link.
    ShareLink = "share-link" in "shareLinkId";
    /// A site.
    Site = "site" in "siteId";
    /// A section of a site.
    SiteSection = "site-section" in "siteSectionId";
    /// A section group.
    SiteSectionGroup = "site-section-group" in "siteSectionGroupId";
    /// A site space.
    SiteSpace = "site-space" in "siteSpaceId";
    /// A space.
    Space = "space" in "spaceId";
    /// A team.
    Team = "team" in "teamId";
    /// Translation settings.
    TranslationSettings = "translation-settings" in "translationSettingsId";
    /// A webhook.
    Webhook = "webhook" in "webhookId";
    /// A delivery to a webhook.
    WebhookDelivery = "webhook-delivery" in "deliveryId";
}
