//! Objects of audit log entries.

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
    /// An invite link, by the id that lets its bearer in.
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
