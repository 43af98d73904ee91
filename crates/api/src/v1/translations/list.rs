//! `GET /v1/orgs/{organizationId}/translations`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, TranslationSettingsId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The translation settings of an organization, newest first.
pub async fn handle(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("translations of {id}");
    let after: Option<TranslationSettingsId> = present::cursor(&list, query.page.as_deref())?;
    let limit = query.limit();
    let (slice, permissions) = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganizationContent)?;
            let slice = reader.translations_of(&organization, after, limit)?;
            Ok((slice, present::translation_permissions(&organization)))
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |settings| settings.id,
        |settings| Ok(present::translation(&state.urls, id, settings, permissions)),
    )?;
    respond::ok(&request, &list)
}
