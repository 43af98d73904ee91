//! Typed ids: each resource has its own type, so that the id of a space cannot be passed for the id of a page.
//!
//! On the wire an id is a hyphenated UUID. New ids are UUIDv7, so newer ids sort after older ones. Document ids are
//! content hashes.

use std::borrow::Cow;

pub use quire_revision::{DocumentId, FileId, PageId, ReusableContentId};
use utoipa::openapi::schema::{ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Declares id types, described as strings with the format `uuid`.
macro_rules! ids {
    ($($(#[doc = $doc:literal])* $name:ident;)*) => {$(
        quire_revision::id_type! {
            $(#[doc = $doc])*
            pub struct $name;
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                ObjectBuilder::new()
                    .schema_type(Type::String)
                    .format(Some(SchemaFormat::Custom("uuid".to_owned())))
                    .description(Some(concat!($($doc),*).trim()))
                    .into()
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed(stringify!($name))
            }
        }
    )*};
}

ids! {
    /// An organization.
    OrganizationId;
    /// A user.
    UserId;
    /// An API token. Identifies the record, not the secret.
    TokenId;
    /// A session of a browser.
    SessionId;
    /// A passkey. Identifies the record, not the credential.
    PasskeyId;
    /// A challenge to the passkey of a user.
    PasskeyChallengeId;
    /// A team.
    TeamId;
    /// A collection.
    CollectionId;
    /// A space.
    SpaceId;
    /// A revision of a space's content.
    RevisionId;
    /// A change request.
    ChangeRequestId;
    /// A comment.
    CommentId;
    /// A reply to a comment.
    CommentReplyId;
    /// A background job.
    JobId;
    /// A review of a change request.
    ReviewId;
    /// A grant on a space or collection.
    GrantId;
    /// An invite.
    InviteId;
    /// A site.
    SiteId;
    /// A section of a site.
    SiteSectionId;
    /// A site space.
    SiteSpaceId;
    /// A section group of a site.
    SiteSectionGroupId;
    /// A redirect of a site.
    SiteRedirectId;
    /// A share link of a site.
    ShareLinkId;
    /// A custom field.
    CustomFieldId;
    /// A connection of a space to a Git repository.
    GitInstallationId;
    /// A synchronization with a Git repository.
    GitOperationId;
    /// An OpenID Connect provider.
    OidcProviderId;
    /// A provider that signs people in, of any protocol.
    SignInProviderId;
    /// A SAML provider.
    SamlProviderId;
    /// An OpenAPI specification.
    OpenApiSpecId;
    /// A version of an OpenAPI specification.
    OpenApiSpecVersionId;
    /// Translation settings.
    TranslationSettingsId;
    /// An integration.
    IntegrationId;
    /// An integration's installation.
    InstallationId;
    /// A webhook.
    WebhookId;
    /// An event and its deliveries.
    EventId;
    /// A delivery of an event to a webhook.
    DeliveryId;
    /// An entry of the audit log.
    AuditEntryId;
    /// An import.
    ImportId;
    /// An entry of an inbox.
    InboxEntryId;
    /// A requested PDF.
    PdfId;
}
