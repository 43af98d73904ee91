//! `GET|POST /v1/integrations/{integrationName}/installations/{installationId}/spaces`,
//! `GET|PATCH|DELETE /v1/integrations/{integrationName}/installations/{installationId}/spaces/{spaceId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::{InstallationId, SpaceId};
use quire_domain::integrations::{SpaceInstallationCreate, SpaceInstallationUpdate};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_storage::Reader;
use quire_storage::integrations::InstallationRecord;
use quire_storage::lookup::{Authorized, InOrganization, SpaceRecord};

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json, OptionalJson, Path, Query};
use crate::listing::Listing;
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

type Installed = Authorized<InOrganization<InstallationRecord>>;

/// The spaces that an integration is installed on, newest first.
pub async fn list_integration_installation_spaces(
    Caller(caller): Caller,
    Path((name, id)): Path<(String, InstallationId)>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<SpaceId>::new(format!("spaces of {id}"), &query)?;
    let (after, limit) = list.position();
    let (installation, slice) = state
        .read(caller, move |reader| {
            let installation = reader.installation(&name, id)?.authorize(Action::InspectOrganization)?;
            let slice = reader.spaces_of_installation(&installation, after, limit)?;
            Ok((installation, slice))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |on_space| on_space.place,
        |on_space| Ok(present::space_installation(&state.urls, &installation.item, on_space)),
    )
}

/// Installs an integration that the organization has on one of its spaces.
pub async fn install_integration_on_space(
    Caller(caller): Caller,
    Path((name, id)): Path<(String, InstallationId)>,
    Json(SpaceInstallationCreate { space }): Json<SpaceInstallationCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let on_space = state
        .transact(caller, move |tx| {
            let installation = tx.installation(&name, id)?.authorize(Action::ListIntegrations)?;
            let space = tx.space(space).map_err(unknown_space)?;
            let space = space.authorize(Action::AdministerSpace).map_err(unknown_space)?;
            let on_space = tx.install_on_space(&installation, &space)?;
            Ok(present::space_installation(&urls, &installation.item, on_space))
        })
        .await?;
    respond::created(&on_space.urls.location, &on_space)
}

/// The installation on a space.
pub async fn get_integration_space_installation(
    Caller(caller): Caller,
    Path((name, id, space)): Path<(String, InstallationId, SpaceId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (installation, on_space) = state
        .read(caller, move |reader| {
            let (installation, space) = find(reader, &name, id, space, Action::ViewSpace)?;
            let on_space = reader.installation_on_space(&installation, &space)?;
            Ok((installation, on_space))
        })
        .await?;
    respond::ok(&request, &present::space_installation(&state.urls, &installation.item, on_space))
}

/// Configures the installation on a space.
pub async fn update_integration_space_installation(
    Caller(caller): Caller,
    Path((name, id, space)): Path<(String, InstallationId, SpaceId)>,
    OptionalJson(body): OptionalJson<SpaceInstallationUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let SpaceInstallationUpdate { external_ids, configuration } = body;
    let external_ids = external_ids.into_text()?;
    let urls = state.urls.clone();
    let on_space = state
        .transact(caller, move |tx| {
            let (installation, space) = find(tx, &name, id, space, Action::AdministerSpace)?;
            let before = tx.lock_installation_on_space(&installation, &space)?;
            if_match.check(&present::space_installation(&urls, &installation.item, before.clone()))?;
            let fresh = tx.update_on_space(&installation, &before, configuration, external_ids)?;
            Ok(present::space_installation(&urls, &installation.item, fresh))
        })
        .await?;
    respond::changed(&on_space)
}

/// Takes an integration from a space.
pub async fn uninstall_integration_from_space(
    Caller(caller): Caller,
    Path((name, id, space)): Path<(String, InstallationId, SpaceId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let (installation, space) = find(tx, &name, id, space, Action::AdministerSpace)?;
            Ok(tx.uninstall_from_space(&installation, &space)?)
        })
        .await?;
    Ok(respond::no_content())
}

/// The space first: who can't see it learns nothing of what is installed on it.
fn find(
    reader: &mut Reader<'_>,
    name: &str,
    id: InstallationId,
    space: SpaceId,
    action: Action,
) -> ApiResult<(Installed, Authorized<SpaceRecord>)> {
    let space = reader.space(space)?.authorize(action)?;
    let installation = reader.installation(name, id)?.authorize(Action::ListIntegrations)?;
    Ok((installation, space))
}

/// A space that isn't there is the body's fault, not the path's.
fn unknown_space(error: quire_storage::Error) -> ApiError {
    match error {
        quire_storage::Error::NotFound => ApiError::invalid_field("space", "there is no such space"),
        error => error.into(),
    }
}
