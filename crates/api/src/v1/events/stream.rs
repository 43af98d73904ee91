//! `GET /v1/events`

use actix_web::http::{Method, header};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream;
use quire_domain::error::{FieldError, Reason};
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_storage::events::WatchedHead;
use quire_storage::lookup::ChangeRequestKey;
use serde::Deserialize;
use utoipa::IntoParams;
use validator::Validate;

use crate::api::ApiData;
use crate::error::{ApiError, ApiResult};
use crate::event_streams::{Opened, Position};
use crate::extract::{Caller, Query};

/// Header with the position of the last event that a client has.
const LAST_EVENT_ID: &str = "last-event-id";

/// Query parameters of a stream of events.
#[derive(Clone, Copy, Debug, Deserialize, Validate, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// Id of the space.
    pub space: SpaceId,
    /// Id or number of the change request. Default: the main content of the space.
    #[param(value_type = String, required = false)]
    pub change_request: Option<ChangeRequestKey>,
}

/// Streams the events of a space or change request: first those that the client lacks, then each when it happens.
pub async fn stream_events(
    Caller(caller): Caller,
    Query(EventsQuery { space, change_request }): Query<EventsQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let last = position(&request)?;
    let opened = api
        .state
        .read(caller, move |reader| {
            let (change_request, user) = match change_request {
                Some(key) => {
                    let found = reader.change_request(space, key)?.authorize(Action::ViewSpace)?;
                    (Some(found.item.id), found.actor().user)
                }
                None => (None, reader.space(space)?.authorize(Action::ViewSpace)?.actor().user),
            };
            let head = WatchedHead { space, change_request };
            let state = reader.watch(&[head], [])?.heads.pop().flatten();
            Ok(Opened { head, user, state: state.ok_or_else(ApiError::not_found)? })
        })
        .await?;
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_TYPE, "text/event-stream"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        // Compression and proxies would hold events back.
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
    position.map(Some).ok_or_else(|| {
        let message = "is not the id of an event of this stream".to_owned();
        ApiError::new(Reason::InvalidHeader)
            .with_details(vec![FieldError { field: "Last-Event-ID".to_owned(), message }])
    })
}
