//! Installations on spaces and sites. The handlers differ only in lookup and presentation.

use quire_storage::operations::integrations::{InstallationRecord, Installed, ScopedInstallation, Target};
use serde::de::DeserializeOwned;

use crate::prelude::*;

/// Path of an installation on a space or site.
pub(super) type Path<T> = (String, InstallationId, <T as Target>::Id);

/// Wire form of a [`Target`].
pub(super) trait InstallationTarget:
    Target<Id: Serialize + DeserializeOwned + Display> + Send
{
    /// Wire form of the installation.
    type Wire: Serialize + Send + 'static;

    /// Action to list the installations.
    const LIST: Action;
    /// Action to read an installation on a resource.
    const VIEW: Action;
    /// Action to configure and remove an installation.
    const MANAGE: Action;

    /// Looks up the installation on the organization and the resource, and authorizes the action.
    fn find(
        reader: &mut Reader<'_>,
        path: &Path<Self>,
        action: Action,
    ) -> ApiResult<(Installed, Authorized<Self>)>;

    /// Presents the installation on a resource.
    fn present(
        urls: &Urls,
        installation: &InstallationRecord,
        record: ScopedInstallation<Self::Id>,
    ) -> Self::Wire;
}

/// Lists the resources that an integration is installed on, newest first.
pub(super) async fn list<T: InstallationTarget>(
    caller: Credentials,
    (name, id): (String, InstallationId),
    query: &PageQuery,
    request: &HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<T::Id>::new(format!("{}s of {id}", T::NAME), query)?;
    let (after, limit) = list.position();
    let (installation, slice) = state
        .read(caller, move |reader| {
            let installation = reader.installation(&name, id)?.authorize(T::LIST)?;
            let slice = reader.installations_below::<T>(&installation, after, limit)?;
            Ok((installation, slice))
        })
        .await?;
    list.respond(
        request,
        slice,
        |record| record.target,
        |record| Ok(T::present(&state.urls, &installation.item, record)),
    )
}

/// Returns the installation on a resource.
pub(super) async fn get<T: InstallationTarget>(
    caller: Credentials,
    path: Path<T>,
    request: &HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (installation, record) = state
        .read(caller, move |reader| {
            let (installation, target) = T::find(reader, &path, T::VIEW)?;
            let record = reader.installation_on(&installation, &target)?;
            Ok((installation, record))
        })
        .await?;
    respond::ok(request, &T::present(&state.urls, &installation.item, record))
}

/// Updates the installation on a resource.
pub(super) async fn update<T: InstallationTarget>(
    caller: Credentials,
    path: Path<T>,
    configuration: Option<Map<String, Value>>,
    external_ids: Option<Vec<String>>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let wire = state
        .transact(caller, move |tx| {
            let (installation, target) = T::find(tx, &path, T::MANAGE)?;
            let before = tx.lock_installation_on(&installation, &target)?;
            if_match.check(&T::present(&urls, &installation.item, before.clone()))?;
            let fresh =
                tx.update_installation_on::<T>(&installation, &before, configuration, external_ids)?;
            Ok(T::present(&urls, &installation.item, fresh))
        })
        .await?;
    respond::changed(&wire)
}

/// Uninstalls an integration from a resource.
pub(super) async fn uninstall<T: InstallationTarget>(
    caller: Credentials,
    path: Path<T>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let (installation, target) = T::find(tx, &path, T::MANAGE)?;
            Ok(tx.uninstall_from(&installation, &target)?)
        })
        .await?;
    Ok(respond::no_content())
}

/// Attributes a missing resource to a field of the body, not to the path.
pub(super) fn unknown(
    field: &'static str,
    message: &'static str,
) -> impl Fn(quire_storage::Error) -> ApiError {
    move |error| match error {
        quire_storage::Error::NotFound => ApiError::invalid_field(field, message),
        error => error.into(),
    }
}
