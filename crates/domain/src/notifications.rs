//! Notifications by mail about entries of inboxes.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

use crate::inbox::InboxEntryType;
use crate::object::NotificationsTag;
use crate::patch;

/// Time at which a user is mailed about unread entries.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Delivery {
    /// Within a minute or two, in a mail for each thread.
    #[default]
    AtOnce,
    /// At 07:00 UTC, in one mail about all unread entries of the day.
    Daily,
    /// Not at all.
    Never,
}

/// Notifications by mail of the current user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notifications {
    /// Always `notifications`.
    pub object: NotificationsTag,
    /// Requests to review.
    pub review_request: Delivery,
    /// Mentions in comments and replies.
    pub mention: Delivery,
    /// Replies in threads that the user has written in.
    pub reply: Delivery,
    /// Conflicts of the user's change requests with their space.
    pub conflict: Delivery,
    /// Imports that have succeeded or failed.
    pub import: Delivery,
}

/// Request body to change the notifications by mail of the current user. Absent kinds stay as they are.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NotificationsUpdate {
    /// Requests to review.
    #[serde(deserialize_with = "patch::present")]
    pub review_request: Option<Delivery>,
    /// Mentions in comments and replies.
    #[serde(deserialize_with = "patch::present")]
    pub mention: Option<Delivery>,
    /// Replies in threads that the user has written in.
    #[serde(deserialize_with = "patch::present")]
    pub reply: Option<Delivery>,
    /// Conflicts of the user's change requests with their space.
    #[serde(deserialize_with = "patch::present")]
    pub conflict: Option<Delivery>,
    /// Imports that have succeeded or failed.
    #[serde(deserialize_with = "patch::present")]
    pub import: Option<Delivery>,
}

impl Delivery {
    /// Every value.
    pub const ALL: [Self; 3] = [Self::AtOnce, Self::Daily, Self::Never];

    /// Returns the wire form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AtOnce => "at-once",
            Self::Daily => "daily",
            Self::Never => "never",
        }
    }
}

impl Notifications {
    /// Returns the notifications of a user with these settings; mails are sent at once about other kinds.
    pub fn new(settings: impl IntoIterator<Item = (InboxEntryType, Delivery)>) -> Self {
        let mut found = Self {
            object: NotificationsTag::Tag,
            review_request: Delivery::default(),
            mention: Delivery::default(),
            reply: Delivery::default(),
            conflict: Delivery::default(),
            import: Delivery::default(),
        };
        for (kind, delivery) in settings {
            *match kind {
                InboxEntryType::ReviewRequest => &mut found.review_request,
                InboxEntryType::Mention => &mut found.mention,
                InboxEntryType::Reply => &mut found.reply,
                InboxEntryType::Conflict => &mut found.conflict,
                InboxEntryType::Import => &mut found.import,
            } = delivery;
        }
        found
    }

    /// Returns when mails about a kind are sent.
    #[must_use]
    pub const fn of(&self, kind: InboxEntryType) -> Delivery {
        match kind {
            InboxEntryType::ReviewRequest => self.review_request,
            InboxEntryType::Mention => self.mention,
            InboxEntryType::Reply => self.reply,
            InboxEntryType::Conflict => self.conflict,
            InboxEntryType::Import => self.import,
        }
    }
}

impl NotificationsUpdate {
    /// Returns the changed kinds.
    pub fn changes(self) -> impl Iterator<Item = (InboxEntryType, Delivery)> {
        let Self { review_request, mention, reply, conflict, import } = self;
        [
            (InboxEntryType::ReviewRequest, review_request),
            (InboxEntryType::Mention, mention),
            (InboxEntryType::Reply, reply),
            (InboxEntryType::Conflict, conflict),
            (InboxEntryType::Import, import),
        ]
        .into_iter()
        .filter_map(|(kind, delivery)| Some((kind, delivery?)))
    }
}
