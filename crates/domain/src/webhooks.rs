//! Webhooks: deliveries of an organization's events to other services.

use std::fmt;

#[cfg(feature = "postgres")]
use diesel::pg::Pg;
#[cfg(feature = "postgres")]
use diesel::prelude::{Queryable, Selectable};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::{apply, skip_serializing_none};
use utoipa::{IntoParams, ToSchema};
use validator::{Validate, ValidationError};

use crate::clock::Timestamp;
use crate::ids::{EventId, OrganizationId, WebhookId};
use crate::object::{WebhookDeliveryTag, WebhookTag};
use crate::patch::Patch;
#[cfg(feature = "postgres")]
use crate::schema::{webhook_deliveries, webhooks};
#[cfg(feature = "postgres")]
use crate::stored::{Elements, Number};
use crate::{bounds, patch, text_checks, texts};

/// Prefix of signing secrets in the Standard Webhooks format
/// (<https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>).
pub const SECRET_PREFIX: &str = "whsec_";

/// Declares the kinds of events, with their wire forms.
macro_rules! event_kinds {
    ($($(#[doc = $doc:literal])* $name:ident = $word:tt;)*) => {
        /// Kind of an event.
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
    /// A test event was requested. Sent regardless of the subscribed events.
    Ping = "ping";
    /// The main content of a space has a new revision: `revisionId`.
    SpaceContentUpdated = "space_content_updated";
    /// The visibility of a space changed: `previousVisibility`, `visibility`.
    SpaceVisibilityUpdated = "space_visibility_updated";
    /// A space was created.
    SpaceCreated = "space_created";
    /// A space was deleted; it can be restored for seven days.
    SpaceDeleted = "space_deleted";
    /// A deleted space was restored.
    SpaceRestored = "space_restored";
    /// A synchronization with a Git repository started: `direction`, `revisionId`, and `commitId` of the last one. Not
    /// sent for an import that was not requested, because it usually finds no changes.
    SpaceGitSyncStarted = "space_gitsync_started";
    /// A synchronization with a Git repository changed something or failed: `direction`, `state`, and after a success
    /// `revisionId` and `commitId`.
    SpaceGitSyncCompleted = "space_gitsync_completed";
    /// A change request was created: `changeRequestId`, `number`, `status`, `subject`.
    ChangeRequestCreated = "change_request_created";
    /// The subject or status of a change request changed: `changeRequestId`, `number`, `status`, `subject`.
    ChangeRequestUpdated = "change_request_updated";
    /// A change request was merged: `changeRequestId`, `number`, `revisionId`.
    ChangeRequestMerged = "change_request_merged";
    /// A comment was posted: `commentId`, and in a change request `changeRequestId`.
    CommentCreated = "comment_created";
    /// The text of a comment was edited: `commentId`, and in a change request `changeRequestId`.
    CommentUpdated = "comment_updated";
    /// A comment was resolved: `commentId`, and in a change request `changeRequestId`.
    CommentResolved = "comment_resolved";
    /// A comment was reopened: `commentId`, and in a change request `changeRequestId`.
    CommentReopened = "comment_reopened";
    /// A comment was deleted: `commentId`, and in a change request `changeRequestId`.
    CommentDeleted = "comment_deleted";
    /// A reply was posted: `commentId`, `commentReplyId`, and in a change request `changeRequestId`.
    CommentReplyCreated = "comment_reply_created";
    /// A member joined the organization: `userId`, `role`.
    MemberAdded = "member_added";
    /// The role of a member changed: `userId`, `role`.
    MemberUpdated = "member_updated";
    /// A member left or was removed: `userId`.
    MemberRemoved = "member_removed";
    /// An integration was installed on the organization, or its installation was updated: `installationId`,
    /// `integration`.
    InstallationSetup = "installation_setup";
    /// An integration was uninstalled: `installationId`, `integration`.
    InstallationDeleted = "installation_deleted";
    /// An integration was installed on a space, or that installation was updated: `installationId`, `integration`.
    SpaceInstallationSetup = "space_installation_setup";
    /// An integration was uninstalled from a space: `installationId`, `integration`.
    SpaceInstallationDeleted = "space_installation_deleted";
    /// An integration was installed on a site, or that installation was updated: `siteId`, `installationId`,
    /// `integration`.
    SiteInstallationSetup = "site_installation_setup";
    /// An integration was uninstalled from a site, or the site was deleted: `siteId`, `installationId`, `integration`.
    SiteInstallationDeleted = "site_installation_deleted";
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Stored fields of a webhook, which responses contain unchanged.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable, Selectable))]
#[cfg_attr(feature = "postgres", diesel(table_name = webhooks, check_for_backend(Pg)))]
#[serde(rename_all = "camelCase")]
pub struct WebhookFacts {
    /// Id of the webhook.
    pub id: WebhookId,
    /// Organization whose events the webhook receives.
    #[cfg_attr(feature = "postgres", diesel(column_name = organization_id))]
    pub organization: OrganizationId,
    /// URL to which events are sent.
    pub url: String,
    /// Purpose of the webhook.
    pub description: Option<String>,
    /// Subscribed events.
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = Elements<Vec<Option<EventKind>>>))]
    pub events: Vec<EventKind>,
    /// `true` if events are delivered.
    pub active: bool,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// A webhook.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Always `webhook`.
    pub object: WebhookTag,
    /// Facts of the webhook.
    #[serde(flatten)]
    pub facts: WebhookFacts,
    /// Secret that signs deliveries. Present only in the responses that create or rotate it.
    pub secret: Option<String>,
    /// URLs of the webhook.
    pub urls: WebhookUrls,
}

/// URLs of a webhook or delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookUrls {
    /// URL of the webhook or delivery in this API.
    pub location: String,
}

/// Request body to create a webhook.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookCreate {
    /// `http` or `https` URL to which events are sent.
    #[validate(custom(function = "texts::Url::check"))]
    pub url: texts::Url,
    /// Purpose of the webhook.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::WebhookDescription::check"))]
    #[schema(value_type = Option<texts::WebhookDescription>, nullable = false)]
    pub description: Option<texts::WebhookDescription>,
    /// Events to subscribe to, at least one.
    #[validate(custom(function = "some_events"))]
    #[schema(min_items = 1)]
    pub events: Vec<EventKind>,
    /// `true` to deliver events from now on. Default: `true`.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub active: Option<bool>,
}

/// Request body to update a webhook. Absent keys leave their values unchanged.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct WebhookUpdate {
    /// `http` or `https` URL to which events are sent.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::Url::check"))]
    #[schema(value_type = Option<texts::Url>, nullable = false)]
    pub url: Option<texts::Url>,
    /// Purpose of the webhook. `null` removes it.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "texts::WebhookDescription::check"))]
    #[schema(value_type = Option<texts::WebhookDescription>)]
    pub description: Patch<texts::WebhookDescription>,
    /// Events to subscribe to, at least one. Replaces the previous ones.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "some_events"))]
    #[schema(min_items = 1, nullable = false)]
    pub events: Option<Vec<EventKind>>,
    /// `true` to deliver events.
    #[serde(deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub active: Option<bool>,
}

/// State of a delivery.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryState {
    /// Waiting for the first or next attempt.
    Pending,
    /// The receiver answered with success.
    Succeeded,
    /// All attempts failed.
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

/// Stored fields of a delivery, which responses contain unchanged.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable, Selectable))]
#[cfg_attr(feature = "postgres", diesel(table_name = webhook_deliveries, check_for_backend(Pg)))]
#[serde(rename_all = "camelCase")]
pub struct DeliveryFacts {
    /// Id of the delivery, equal to the id of the event.
    pub id: EventId,
    /// Id of the webhook.
    #[cfg_attr(feature = "postgres", diesel(column_name = webhook_id))]
    pub webhook: WebhookId,
    /// Kind of the event.
    pub kind: EventKind,
    /// Body of the event.
    #[schema(value_type = Object)]
    #[cfg_attr(feature = "postgres", diesel(column_name = payload))]
    pub event: Value,
    /// State of the delivery.
    pub state: DeliveryState,
    /// Number of attempts.
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = i32))]
    pub attempts: u64,
    /// Time of the next attempt. Present while the delivery is pending.
    #[cfg_attr(
        feature = "postgres",
        diesel(
            select_expression = (webhook_deliveries::state, webhook_deliveries::next_attempt_at),
            select_expression_type = (webhook_deliveries::state, webhook_deliveries::next_attempt_at),
            deserialize_as = NextAttempt
        )
    )]
    pub next_attempt_at: Option<Timestamp>,
    /// Time of the last attempt.
    pub last_attempt_at: Option<Timestamp>,
    /// HTTP status of the last response.
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = Number<Option<i32>>))]
    pub last_status: Option<u16>,
    /// Error of the last attempt.
    pub last_error: Option<String>,
    /// Time of the event.
    pub created_at: Timestamp,
}

/// Time of the next attempt as stored. A delivery that has ended still has one.
#[cfg(feature = "postgres")]
#[derive(Debug, Queryable)]
pub struct NextAttempt {
    state: DeliveryState,
    at: Timestamp,
}

#[cfg(feature = "postgres")]
impl From<NextAttempt> for Option<Timestamp> {
    fn from(next: NextAttempt) -> Self {
        (next.state == DeliveryState::Pending).then_some(next.at)
    }
}

/// Delivery of an event to a webhook.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WebhookDelivery {
    /// Always `webhook-delivery`.
    pub object: WebhookDeliveryTag,
    /// Facts of the delivery.
    #[serde(flatten)]
    pub facts: DeliveryFacts,
    /// URLs of the delivery.
    pub urls: WebhookUrls,
}

/// Filter of a list of deliveries, in addition to the parameters of every list.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct DeliveryQuery {
    /// Returns only deliveries in this state.
    #[param(inline, nullable = false)]
    pub state: Option<DeliveryState>,
}

fn some_events(events: &[EventKind]) -> Result<(), ValidationError> {
    match events.len() {
        0 => Err(text_checks::error("length", "must have at least one event".to_owned())),
        1..=bounds::WEBHOOK_EVENTS_MAX => text_checks::distinct(events),
        _ => Err(text_checks::error(
            "length",
            format!("must have at most {} events", bounds::WEBHOOK_EVENTS_MAX),
        )),
    }
}
