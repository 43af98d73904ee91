//! Event streams and presence.

use actix_web::http::Method;
use actix_web::web::Bytes;
use futures_util::stream;
use quire_domain::events::PresenceUpdate;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::imports::ImportKey;
use quire_storage::operations::events::{Subjects, WatchedHead};
use quire_storage::operations::presences::Location;

use crate::event_streams::{Observed, Opened, Position};
use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get(Tag::Events.at("/v1/events", None), SignedIn, "Stream events of content", stream_events)
            .query::<EventsQuery>()
            .finds_by_input()
            .answers_media("text/event-stream"),
        Route::put(
            Tag::Events.at("/v1/presence", None),
            SignedIn,
            "Note the caller's presence",
            update_presence,
        )
        .body::<PresenceUpdate>()
        .finds_by_input()
        .answers_nothing()
        .unaudited("it is about a moment, and changes no content"),
    ]
}

/// Header with the position of the last event that a client has.
const LAST_EVENT_ID: &str = "last-event-id";

/// Query parameters of a stream of events.
#[derive(Clone, Copy, Debug, Deserialize, Validate, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// Id of the space. Required unless `inbox` is `true`.
    #[param(nullable = false)]
    pub space: Option<SpaceId>,
    /// Id or number of the change request. Default: the main content of the space.
    #[param(value_type = String, required = false)]
    pub change_request: Option<ChangeRequestKey>,
    /// `true` to send the number of unread entries in the caller's inbox. Default: `false`.
    #[serde(default)]
    #[param(required = false)]
    pub inbox: bool,
    /// Id of an import into the space whose progress is sent.
    #[param(nullable = false)]
    pub import: Option<ImportId>,
}

impl EventsQuery {
    /// Checks that the stream has a subject, and that a change request or import comes with its space.
    fn check(&self) -> ApiResult<()> {
        let needs_space = self.change_request.is_some() || self.import.is_some() || !self.inbox;
        match self.space.is_none() && needs_space {
            true => Err(refused(Reason::InvalidQuery, "space", "is missing")),
            false => Ok(()),
        }
    }
}

async fn stream_events(
    Caller(caller): Caller,
    Query(query): Query<EventsQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let last = position(&request)?;
    query.check()?;
    let EventsQuery { space, change_request, inbox, import } = query;
    let opened = api
        .state
        .read(caller, move |reader| {
            let (head, user) = match (space, change_request) {
                (Some(space), Some(key)) => {
                    let found = reader.change_request(space, key)?.authorize(Action::ViewSpace)?;
                    let change_request = Some(found.item.id);
                    (Some(WatchedHead { space, change_request }), found.actor().user)
                }
                (Some(space), None) => {
                    let user = reader.space(space)?.authorize(Action::ViewSpace)?.actor().user;
                    (Some(WatchedHead { space, change_request: None }), user)
                }
                (None, _) => (None, reader.actor()?.user),
            };
            let import = match (space, import) {
                (Some(space), Some(import)) => {
                    let record = reader.space(space)?.authorize(Action::ViewImports)?;
                    Some(ImportKey { space, import: reader.import(&record, import)?.id })
                }
                _ => None,
            };
            let subjects = Subjects {
                heads: head.into_iter().collect(),
                inboxes: inbox.then_some(user).into_iter().collect(),
                imports: import.into_iter().collect(),
                tokens: Vec::new(),
            };
            let mut watched = reader.watch(&subjects)?;
            let state = match head {
                Some(_) => Some(watched.heads.pop().flatten().ok_or_else(ApiError::not_found)?),
                None => None,
            };
            let unread = if inbox { Some(reader.unread_in_inbox()?) } else { None };
            let step = import.and_then(|key| watched.imports.remove(&key.import));
            let inbox = watched.inboxes.remove(&user);
            let observed = Observed { head: state.map(Arc::new), inbox, import: step };
            Ok(Opened { head, import, user, observed, unread })
        })
        .await?;
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_TYPE, "text/event-stream"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        // Compression and proxies would delay events.
        .insert_header((header::CONTENT_ENCODING, "identity"))
        .insert_header(("x-accel-buffering", "no"));
    if request.method() == Method::HEAD {
        return Ok(response.streaming(stream::empty::<ApiResult<Bytes>>()));
    }
    let events = api.streams.open(&api.state, api.settings.stream_life, caller, opened, last)?;
    Ok(response.streaming(events.into_stream()))
}

/// Returns the position of the last event that the client has.
fn position(request: &HttpRequest) -> ApiResult<Option<Position>> {
    let Some(value) = request.headers().get(LAST_EVENT_ID) else { return Ok(None) };
    let position = value.to_str().ok().and_then(|text| text.parse().ok());
    let message = "is not the id of an event of this stream";
    position.map(Some).ok_or_else(|| refused(Reason::InvalidHeader, "Last-Event-ID", message))
}

fn refused(reason: Reason, field: &str, message: &str) -> ApiError {
    let detail = FieldError { field: field.to_owned(), message: message.to_owned() };
    ApiError::new(reason).with_details(vec![detail])
}

async fn update_presence(
    Caller(caller): Caller,
    Json(body): Json<PresenceUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    if_match.check_untagged()?;
    let PresenceUpdate { space, change_request, page, block, typing } = body;
    let block = block.map(|block| block.into_text()).transpose()?;
    let location = Location { page, block, typing };
    state
        .transact(caller, move |tx| {
            let user = match change_request {
                Some(id) => {
                    let found = tx.change_request(space, ChangeRequestKey::Id(id))?;
                    found.authorize(Action::ViewSpace)?.actor().user
                }
                None => tx.space(space)?.authorize(Action::ViewSpace)?.actor().user,
            };
            Ok(tx.put_presence(space, change_request, user, &location)?)
        })
        .await?;
    Ok(respond::no_content())
}
