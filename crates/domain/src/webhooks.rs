//! Webhooks: an organization's own services are told of what happens in it.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clock::Timestamp;
use crate::features::{IntoParams, ToSchema, Validate, ValidationError};
use crate::ids::{EventId, OrganizationId, WebhookId};
use crate::object::{WebhookDeliveryTag, WebhookTag};
use crate::patch::Patch;
use crate::{bounds, patch, text, texts};

/// Declares the kinds of events, with the word each has on the wire.
macro_rules! event_kinds {
    ($($(#[doc = $doc:literal])* $name:ident = $word:tt;)*) => {
        /// What can happen.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
        pub enum EventKind {
            $($(#[doc = $doc])* #[serde(rename = $word)] $name,)*
        }

        impl EventKind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the wire form.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word),* }
            }
        }
    };
}

event_kinds! {
    /// A test, sent when somebody asks for it, whatever a webhook listens to.
    Ping = "ping";
    /// The main content of a space has a new revision: `revisionId`.
    SpaceContentUpdated = "space_content_updated";
    /// Who can see a space is another: `previousVisibility`, `visibility`.
    SpaceVisibilityUpdated = "space_visibility_updated";
    /// A space was made.
    SpaceCreated = "space_created";
    /// A space was deleted; it can be restored for seven days.
    SpaceDeleted = "space_deleted";
    /// A deleted space was restored.
    SpaceRestored = "space_restored";
    /// A change request was made: `changeRequestId`, `number`, `status`, `subject`.
    ChangeRequestCreated = "change_request_created";
    /// The subject or status of a change request is another: `changeRequestId`, `number`, `status`, `subject`.
    ChangeRequestUpdated = "change_request_updated";
    /// A change request was merged: `changeRequestId`, `number`, `revisionId`.
    ChangeRequestMerged = "change_request_merged";
    /// A comment was posted: `commentId`, and `changeRequestId` when it is on one.
    CommentCreated = "comment_created";
    /// The text of a comment is another: `commentId`, and `changeRequestId` when it is on one.
    CommentUpdated = "comment_updated";
    /// A comment was resolved: `commentId`, and `changeRequestId` when it is on one.
    CommentResolved = "comment_resolved";
    /// A resolved comment was opened again: `commentId`, and `changeRequestId` when it is on one.
    CommentReopened = "comment_reopened";
    /// A comment was deleted: `commentId`, and `changeRequestId` when it is on one.
    CommentDeleted = "comment_deleted";
    /// A reply to a comment was posted: `commentId`, `commentReplyId`, and `changeRequestId` when it is on one.
    CommentReplyCreated = "comment_reply_created";
    /// Somebody became a member: `userId`, `role`.
    MemberAdded = "member_added";
    /// The role of a member is another: `userId`, `role`.
    MemberUpdated = "member_updated";
    /// Somebody is no member any more: `userId`.
    MemberRemoved = "member_removed";
    /// An integration was installed on the organization or configured: `installationId`, `integration`.
    InstallationSetup = "installation_setup";
    /// An integration was uninstalled: `installationId`, `integration`.
    InstallationDeleted = "installation_deleted";
    /// An integration was installed on a space or configured there: `installationId`, `integration`.
    SpaceInstallationSetup = "space_installation_setup";
    /// An integration was uninstalled from a space: `installationId`, `integration`.
    SpaceInstallationDeleted = "space_installation_deleted";
    /// An integration was installed on a site or configured there: `siteId`, `installationId`, `integration`.
    SiteInstallationSetup = "site_installation_setup";
    /// An integration was uninstalled from a site, or the site was deleted: `siteId`, `installationId`, `integration`.
    SiteInstallationDeleted = "site_installation_deleted";
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Always `webhook`.
    pub object: WebhookTag,
    /// Id of the webhook.
    pub id: WebhookId,
    /// The organization whose events it hears.
    pub organization: OrganizationId,
    /// Where events are sent.
    pub url: String,
    /// Purpose of the webhook.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// The events it hears.
    pub events: Vec<EventKind>,
    /// Whether it hears anything.
    pub active: bool,
    /// What signs its deliveries: only in the answers that made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub secret: Option<String>,
    /// Creation time.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// URLs of the webhook.
    pub urls: WebhookUrls,
}

/// URLs of a webhook or delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookUrls {
    /// It in this API.
    pub location: String,
}

/// Request body to create a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookCreate {
    /// Where to send events: http or https.
    #[validate(custom(function = "texts::Url::check"))]
    pub url: texts::Url,
    /// Purpose of the webhook.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::WebhookDescription::check"))]
    #[schema(value_type = Option<texts::WebhookDescription>, nullable = false)]
    pub description: Option<texts::WebhookDescription>,
    /// The events to hear, one at least.
    #[validate(custom(function = "some_events"))]
    #[schema(min_items = 1)]
    pub events: Vec<EventKind>,
    /// Whether to begin at once, as it does by default.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub active: Option<bool>,
}

/// Request body to update a webhook.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct WebhookUpdate {
    /// Where to send events.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = Option<texts::Url>, nullable = false)]
    pub url: Option<texts::Url>,
    /// What it is for; `null` for nothing.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::WebhookDescription::check"))]
    #[schema(value_type = Option<texts::WebhookDescription>)]
    pub description: Patch<texts::WebhookDescription>,
    /// The events to hear, one at least.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "some_events"))]
    #[schema(min_items = 1, nullable = false)]
    pub events: Option<Vec<EventKind>>,
    /// Whether it hears anything.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub active: Option<bool>,
}

/// What became of a delivery.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryState {
    /// It is to be tried, perhaps again.
    Pending,
    /// The receiver took it.
    Succeeded,
    /// It was given up.
    Failed,
}

impl DeliveryState {
    /// Returns the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }
}

/// An event that a webhook was, or is to be, told of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDelivery {
    /// Always `webhook-delivery`.
    pub object: WebhookDeliveryTag,
    /// Id of the delivery: that of the event.
    pub id: EventId,
    /// The webhook.
    pub webhook: WebhookId,
    /// What happened.
    pub kind: EventKind,
    /// The body that is sent.
    #[schema(value_type = Object)]
    pub event: Value,
    /// What became of it.
    pub state: DeliveryState,
    /// How often it was tried.
    pub attempts: u64,
    /// When it is tried next, while it is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_attempt_at: Option<Timestamp>,
    /// When it was last tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub last_attempt_at: Option<Timestamp>,
    /// The HTTP status of the last answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub last_status: Option<u16>,
    /// Why the last attempt failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub last_error: Option<String>,
    /// When it happened.
    pub created_at: Timestamp,
    /// URLs of the delivery.
    pub urls: WebhookUrls,
}

/// Which deliveries a list shows, beside the parameters of every list.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct DeliveryQuery {
    /// Only deliveries that ended, or wait, so.
    #[param(inline, nullable = false)]
    pub state: Option<DeliveryState>,
}

fn some_events(events: &[EventKind]) -> Result<(), ValidationError> {
    match events.len() {
        0 => Err(text::error("length", "must name at least one event".to_owned())),
        1..=bounds::WEBHOOK_EVENTS_MAX => text::distinct(events),
        _ => Err(text::error("length", format!("must name {} events at most", bounds::WEBHOOK_EVENTS_MAX))),
    }
}
