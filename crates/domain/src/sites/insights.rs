//! Events of visits of published sites.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use serde_with::apply;
use utoipa::ToSchema;
use validator::Validate;

use crate::bounds::SITE_EVENTS_MAX;
use crate::clock::Timestamp;
use crate::{object_only, patch, text_checks, texts};

/// Request body to report events of visits of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
pub struct SiteEvents {
    /// Events, at most 1000.
    #[validate(custom(function = "text_checks::count::<0, SITE_EVENTS_MAX, _>"))]
    #[schema(max_items = 1000)]
    pub events: Vec<SiteEvent>,
}

/// Event of a visit.
#[apply(Option => #[schema(nullable = false)])]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteEvent {
    /// Type of the event, such as `page_view`.
    #[serde(rename = "type", deserialize_with = "event_type")]
    #[schema(value_type = texts::SiteEventType)]
    pub event_type: String,
    /// Session of the visitor.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(value_type = Object)]
    pub session: Map<String, Value>,
    /// Location of the event.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(value_type = Object)]
    pub location: Map<String, Value>,
    /// Time of the event. Default: now.
    #[serde(default, deserialize_with = "patch::present")]
    pub timestamp: Option<Timestamp>,
}

/// Reads the type of an event. It is checked here, because an error of the validator would lack the name of the key.
fn event_type<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = texts::SiteEventType::new(String::deserialize(deserializer)?);
    text.and_then(texts::SiteEventType::into_text).map_err(D::Error::custom)
}
