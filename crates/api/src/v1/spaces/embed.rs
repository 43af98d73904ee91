//! `GET /v1/spaces/{spaceId}/embed`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::embeds::{Embed, EmbedQuery, EmbedType};
use quire_domain::ids::SpaceId;
use url::Url;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Path, Query, Reading};
use crate::respond;
use crate::state::State;
use crate::visitors::readable_space;

/// Returns the preview of a URL for readers of a space. It is made of the URL alone: nothing is fetched.
pub async fn get_embed_by_url_in_space(
    caller: Reading,
    Path(space): Path<SpaceId>,
    Query(EmbedQuery { url }): Query<EmbedQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let url = url.into_text()?;
    let _ = readable_space(&state, &caller, space).await?;
    let url = Url::parse(&url).map_err(ApiError::internal)?;
    let site = url.host_str().unwrap_or_default().to_owned();
    let title = format!("{site}{}", url.path().trim_end_matches('/'));
    respond::ok(&request, &Embed { kind: EmbedType::Link, title, site })
}
