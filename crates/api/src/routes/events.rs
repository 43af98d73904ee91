//! Streams of events, and presence.

use quire_domain::events::PresenceUpdate;

use crate::route::Access::SignedIn;
use crate::route::{Route, Tag};
use crate::v1::events::{presence, stream};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::Events.at("/v1/events", None),
            "streamEvents",
            SignedIn,
            "Stream events of content",
            stream::stream_events,
        )
        .query::<stream::EventsQuery>()
        .finds_by_input()
        .answers_media("text/event-stream"),
        Route::put(
            Tag::Events.at("/v1/presence", None),
            "updatePresence",
            SignedIn,
            "Note the caller's presence",
            presence::update_presence,
        )
        .body::<PresenceUpdate>()
        .finds_by_input()
        .answers_nothing()
        .unaudited("it is about a moment, and changes no content"),
    ]
}
