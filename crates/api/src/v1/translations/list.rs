//! `GET /v1/orgs/{organizationId}/translations`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, TranslationSettingsId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the translation settings of an organization, newest first.
pub async fn list_translations(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<TranslationSettingsId>::new(format!("translations of {id}"), &query)?;
    let (after, limit) = list.position();
    let (slice, permissions) = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganizationContent)?;
            let slice = reader.translations_of(&organization, after, limit)?;
            Ok((slice, present::translation_permissions(&organization)))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |settings| settings.id,
        |settings| Ok(present::translation(&state.urls, id, settings, permissions)),
    )
}
