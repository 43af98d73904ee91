//! Constant `object` keys of resources.

/// Declares types with one value each, so that the `object` key of a resource cannot hold another.
macro_rules! tags {
    ($($(#[$doc:meta])* $name:ident = $text:tt;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
        pub enum $name {
            #[doc = concat!("Always `", $text, "`.")]
            #[default]
            #[serde(rename = $text)]
            Tag,
        }
    )*};
}

pub(crate) use tags;

tags! {
    /// Names a user.
    UserTag = "user";
    /// Names an organization.
    OrganizationTag = "organization";
    /// Names a member of an organization.
    MemberTag = "member";
    /// Names a team.
    TeamTag = "team";
    /// Names an invite.
    InviteTag = "invite";
    /// Names an e-mail invite.
    EmailInviteTag = "email-invite";
    /// Names a deleted page.
    DeletedPageTag = "deleted-page";
    /// Names a subdomain.
    SubdomainTag = "subdomain";
    /// Names an API token.
    ApiTokenTag = "api-token";
    /// Names a session.
    SessionTag = "session";
    /// Names a passkey.
    PasskeyTag = "passkey";
    /// Names a space.
    SpaceTag = "space";
    /// Names a collection.
    CollectionTag = "collection";
    /// Names a change request.
    ChangeRequestTag = "change-request";
    /// Names the notifications by mail of a user.
    NotificationsTag = "notifications";
    /// Names an entry of an inbox.
    InboxEntryTag = "inbox-entry";
    /// Names an import.
    ImportTag = "import";
    /// Names a revision.
    RevisionTag = "revision";
    /// Names a comment.
    CommentTag = "comment";
    /// Names a reply to a comment.
    CommentReplyTag = "comment-reply";
    /// Names an integration.
    IntegrationTag = "integration";
    /// Names an OpenID Connect provider.
    OidcProviderTag = "oidc-provider";
    /// Names the access of an identity provider with SCIM.
    ScimTag = "scim";
    /// Names a connection of a space to a Git repository.
    GitInstallationTag = "git-sync-installation";
    /// Names a synchronization with a Git repository.
    GitOperationTag = "git-sync-operation";
    /// Names the preview of a pull request.
    GitPreviewTag = "git-sync-preview";
    /// Names the repository of a connection.
    GitRepositoryConnectionTag = "git-repository-connection";
    /// Names the branch of a connection.
    GitRepositoryRefTag = "git-repository-ref";
    /// Names the synchronized folder of a connection.
    GitSyncRootTag = "git-sync-root";
    /// Names a SAML provider.
    SamlProviderTag = "saml-provider";
    /// Names translation settings.
    TranslationSettingsTag = "translation-settings";
    /// Names the operator of the deployment, who has no user account.
    SystemTag = "system";
    /// Names an entry of the audit log.
    AuditEntryTag = "audit-entry";
    /// Names a webhook.
    WebhookTag = "webhook";
    /// Names a delivery to a webhook.
    WebhookDeliveryTag = "webhook-delivery";
    /// Names an OpenAPI specification.
    OpenApiSpecTag = "openapi-spec";
    /// Names a version of an OpenAPI specification.
    OpenApiSpecVersionTag = "openapi-spec-version";
    /// Names a site.
    SiteTag = "site";
    /// Names a section of a site.
    SiteSectionTag = "site-section";
    /// Names a site space.
    SiteSpaceTag = "site-space";
    /// Names a section group.
    SiteSectionGroupTag = "site-section-group";
    /// Names how visitors of a site sign in.
    PublishingAuthTag = "publishing-auth";
    /// Names a published site.
    PublishedSiteTag = "published-content-site";
    /// Names a redirect of a site.
    SiteRedirectTag = "site-redirect";
    /// Names a share link.
    ShareLinkTag = "share-link";
    /// Names a reference to a page.
    PageRefTag = "page";
    /// Names the renderer of a site.
    SiteRendererTag = "site-renderer";
    /// Names the schema of a site's claims.
    AdaptiveSchemaTag = "site-adaptive-schema";
}
