//! `GET …/reusable-contents/{reusableContentId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::ReusableContentId;
use quire_revision::Tree;
use serde::Deserialize;

use super::answer::{Asked, answer};
use super::path::ContentPath;
use super::query::ContentQuery;
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Path, Query, Reading};

/// Path parameters: the reusable content.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    pub(super) reusable_content_id: ReusableContentId,
}

/// Returns a reusable content.
pub async fn get_reusable_content(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(Item { reusable_content_id }): Path<Item>,
    Query(query): Query<ContentQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let asked = Asked { caller, path, git: query.metadata, computed: false };
    let find = move |tree: &Tree| tree.reusable_content(reusable_content_id).cloned();
    answer(asked, &request, &api, find, |source, found| Ok(source.view.reusable_content(&found))).await
}
