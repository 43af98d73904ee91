//! Installations of integrations on spaces.

use quire_domain::integrations::{SpaceInstallation, SpaceInstallationCreate, SpaceInstallationUpdate};
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::operations::integrations::{InstallationRecord, Installed, SpaceInstallationRecord};

use super::below;
use super::below::{InstallationTarget, unknown};
use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const ALL: Resource = Tag::Integrations.at(
        "/v1/integrations/{integrationName}/installations/{installationId}/spaces",
        Some(Object::Installation),
    );
    const ONE: Resource = Tag::Integrations.at(
        "/v1/integrations/{integrationName}/installations/{installationId}/spaces/{spaceId}",
        Some(Object::Space),
    );
    let administer = NeedsBoth(Action::AdministerSpace, Action::ListIntegrations);
    vec![
        Route::get(
            ALL,
            Needs(Action::InspectOrganization),
            "List an installation's spaces",
            list_integration_installation_spaces,
        )
        .query::<PageQuery>()
        .lists::<SpaceInstallation>(),
        Route::post(
            ALL,
            NeedsAlso(Action::ListIntegrations, Action::AdministerSpace),
            "Install an integration on a space",
            install_integration_on_space,
        )
        .body::<SpaceInstallationCreate>()
        .answers::<SpaceInstallation>(201),
        Route::get(
            ONE,
            NeedsBoth(Action::ViewSpace, Action::ListIntegrations),
            "Get an installation on a space",
            get_integration_space_installation,
        )
        .answers::<SpaceInstallation>(200),
        Route::patch(
            ONE,
            administer,
            "Update an installation on a space",
            update_integration_space_installation,
        )
        .body::<SpaceInstallationUpdate>()
        .answers::<SpaceInstallation>(200),
        Route::delete(
            ONE,
            administer,
            "Uninstall an integration from a space",
            uninstall_integration_from_space,
        )
        .answers_nothing(),
    ]
}

impl InstallationTarget for SpaceRecord {
    type Wire = SpaceInstallation;

    const LIST: Action = Action::InspectOrganization;
    const VIEW: Action = Action::ViewSpace;
    const MANAGE: Action = Action::AdministerSpace;

    /// Looks up the space first, so that a caller who may not see it learns nothing about its installations.
    fn find(
        reader: &mut Reader<'_>,
        (name, id, space): &below::Path<Self>,
        action: Action,
    ) -> ApiResult<(Installed, Authorized<Self>)> {
        let space = reader.space(*space)?.authorize(action)?;
        let installation = reader.installation(name, *id)?.authorize(Action::ListIntegrations)?;
        Ok((installation, space))
    }

    fn present(
        urls: &Urls,
        installation: &InstallationRecord,
        record: SpaceInstallationRecord,
    ) -> SpaceInstallation {
        present::space_installation(urls, installation, record)
    }
}

async fn list_integration_installation_spaces(
    Caller(caller): Caller,
    Path(path): Path<(String, InstallationId)>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    below::list::<SpaceRecord>(caller, path, &query, &request, state).await
}

async fn install_integration_on_space(
    Caller(caller): Caller,
    Path((name, id)): Path<(String, InstallationId)>,
    Json(SpaceInstallationCreate { space }): Json<SpaceInstallationCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let unknown = unknown("space", "does not exist");
    let on_space = state
        .transact(caller, move |tx| {
            let installation = tx.installation(&name, id)?.authorize(Action::ListIntegrations)?;
            let space = tx.space(space).map_err(&unknown)?;
            let space = space.authorize(Action::AdministerSpace).map_err(&unknown)?;
            let on_space = tx.install_on_space(&installation, &space)?;
            Ok(present::space_installation(&urls, &installation.item, on_space))
        })
        .await?;
    respond::created(&on_space.urls.location, &on_space)
}

async fn get_integration_space_installation(
    Caller(caller): Caller,
    Path(path): Path<(String, InstallationId, SpaceId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    below::get::<SpaceRecord>(caller, path, &request, state).await
}

async fn update_integration_space_installation(
    Caller(caller): Caller,
    Path(path): Path<(String, InstallationId, SpaceId)>,
    OptionalJson(body): OptionalJson<SpaceInstallationUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let SpaceInstallationUpdate { external_ids, configuration } = body;
    let external_ids = external_ids.into_text()?;
    below::update::<SpaceRecord>(caller, path, configuration, external_ids, if_match, state).await
}

async fn uninstall_integration_from_space(
    Caller(caller): Caller,
    Path(path): Path<(String, InstallationId, SpaceId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    below::uninstall::<SpaceRecord>(caller, path, state).await
}
