//! Routes of the workspace. Callers without credentials are redirected from addresses of resources to the published
//! pages about them.

use std::future::Future;

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, ResponseError as _};
use quire_domain::error::Reason;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_server::extract::credentials;
use quire_server::routing::{BoxedHandler, Ending, Endpoint};
use quire_server::{ApiError, ApiResult};
use quire_storage::lookup::Credentials;
use quire_storage::{Error, Reader};

use super::{
    additions, changes, collection, conflicts, cover, files, history, home, imports, inbox, page_settings,
    reusable, search, settings, shell, sign_in_link, sites, space, trash,
};
use crate::app_urls;
use crate::errors;
use crate::site::segments;
use crate::state::WebData;

/// Returns the routes of the pages.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/", Ending::Exact, BoxedHandler::new(root)),
        get("/~/search", Ending::Exact, BoxedHandler::new(search_of_caller)),
        get("/~/inbox", Ending::Exact, BoxedHandler::new(inbox_of_caller)),
        get("/~/new-organization", Ending::Exact, BoxedHandler::new(new_organization)),
        get("/s/{spaceId}", Ending::Exact, BoxedHandler::new(in_space)),
        get("/s/{spaceId}/{pagePath}", Ending::Rest, BoxedHandler::new(in_space)),
        get("/c/{collectionId}", Ending::Exact, BoxedHandler::new(of_collection)),
        get("/c/{collectionId}/{rest}", Ending::Rest, BoxedHandler::new(of_collection)),
        get("/o/{organizationId}", Ending::Exact, BoxedHandler::new(in_organization)),
        get("/o/{organizationId}/{rest}", Ending::Rest, BoxedHandler::new(in_organization)),
        get("/integrations/{integrationName}", Ending::Exact, BoxedHandler::new(integration)),
    ]
}

fn get(path: &'static str, ending: Ending, handler: BoxedHandler) -> Endpoint {
    Endpoint { path, ending, method: Some(Method::GET), recording: None, handler }
}

/// Responds with a page. Redirects callers with invalid credentials to the sign-in page. Does not distinguish pages
/// that the caller may not see from missing ones.
async fn answer(
    request: &HttpRequest,
    web: &WebData,
    page: impl Future<Output = ApiResult<HttpResponse>>,
) -> HttpResponse {
    match page.await {
        Ok(response) => response,
        Err(error) => failed(request, web, &error),
    }
}

fn failed(request: &HttpRequest, web: &WebData, error: &ApiError) -> HttpResponse {
    if error.reason() == Reason::SecondFactorMissing {
        return sign_in_link::account(web);
    }
    match error.status_code() {
        StatusCode::UNAUTHORIZED => sign_in_link::sign_in(request, web),
        StatusCode::NOT_FOUND | StatusCode::FORBIDDEN => shell::not_found(web),
        _ => errors::failed(error),
    }
}

async fn root(request: HttpRequest, web: WebData) -> HttpResponse {
    let Some(caller) = credentials(&request) else { return sign_in_link::sign_in(&request, &web) };
    answer(&request, &web, home::of_caller(&request, &web, caller)).await
}

async fn search_of_caller(request: HttpRequest, web: WebData) -> HttpResponse {
    let Some(caller) = credentials(&request) else { return sign_in_link::sign_in(&request, &web) };
    answer(&request, &web, search::of_caller(&request, &web, caller)).await
}

async fn inbox_of_caller(request: HttpRequest, web: WebData) -> HttpResponse {
    let Some(caller) = credentials(&request) else { return sign_in_link::sign_in(&request, &web) };
    answer(&request, &web, inbox::page(&request, &web, caller)).await
}

async fn new_organization(request: HttpRequest, web: WebData) -> HttpResponse {
    let Some(caller) = credentials(&request) else { return sign_in_link::sign_in(&request, &web) };
    answer(&request, &web, home::new_organization(&web, caller)).await
}

/// `/s/{spaceId}/…`
async fn in_space(request: HttpRequest, web: WebData) -> HttpResponse {
    match credentials(&request) {
        Some(caller) => answer(&request, &web, space_page(&request, &web, caller)).await,
        None => published_or_sign_in(&request, &web, app_urls::space(&request, &web)).await,
    }
}

async fn space_page(request: &HttpRequest, web: &WebData, caller: Credentials) -> ApiResult<HttpResponse> {
    let space = part(request, "spaceId")?;
    let path = path_of(request, "pagePath")?;
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    match names.as_slice() {
        ["~", "changes"] => changes::of_space(request, web, caller, space).await,
        ["~", "changes", key] => {
            let key = key.parse().map_err(|()| ApiError::not_found())?;
            changes::overview(request, web, caller, space, key).await
        }
        ["~", "changes", key, "~conflicts"] => {
            let key = key.parse().map_err(|()| ApiError::not_found())?;
            conflicts::page(request, web, caller, space, key).await
        }
        ["~", "changes", key, "~preview"] => {
            let key = key.parse().map_err(|()| ApiError::not_found())?;
            changes::preview(request, web, caller, space, key).await
        }
        ["~", "changes", key, ..] => {
            let key = key.parse().map_err(|()| ApiError::not_found())?;
            let path = path.get(3..).unwrap_or_default();
            space::page_of_change_request(request, web, caller, (space, key), path).await
        }
        ["~", "history"] => history::of_space(request, web, caller, space).await,
        ["~", "history", id] => {
            let id = id.parse().map_err(|_| ApiError::not_found())?;
            history::of_revision(request, web, caller, space, id).await
        }
        ["~", "history", id, ..] => {
            let id = id.parse().map_err(|_| ApiError::not_found())?;
            let path = path.get(3..).unwrap_or_default();
            space::page_of_revision(request, web, caller, (space, id), path).await
        }
        ["~", "import"] => imports::form(request, web, caller, space).await,
        ["~", "imports", id] => {
            let id = id.parse().map_err(|_| ApiError::not_found())?;
            imports::one(web, caller, space, id).await
        }
        ["~", "files"] => files::files(request, web, caller, space).await,
        ["~", "reusable"] => files::reusable(request, web, caller, space).await,
        ["~", "reusable", id] => {
            let id = id.parse().map_err(|_| ApiError::not_found())?;
            reusable::page(request, web, caller, space, id).await
        }
        ["~", "pages"] => space::level(request, web, caller, space).await,
        ["~", "page", page] => {
            let page = page.parse().map_err(|_| ApiError::not_found())?;
            space::page_by_id(web, caller, space, page).await
        }
        ["~", "page", page, "settings"] => {
            let page = page.parse().map_err(|_| ApiError::not_found())?;
            page_settings::page(request, web, caller, space, page).await
        }
        ["~", "add"] => additions::page(request, web, caller, space).await,
        ["~", "cover", page] => {
            let page = page.parse().map_err(|_| ApiError::not_found())?;
            cover::page(request, web, caller, space, page).await
        }
        ["~", "trash"] => trash::page(request, web, caller, space).await,
        ["~", "settings"] => settings::content::space(web, caller, space).await,
        ["~", "access"] => settings::content::space_access(request, web, caller, space).await,
        ["~", "git"] => settings::git::page(request, web, caller, space).await,
        ["~", ..] => Err(ApiError::not_found()),
        _ => space::page(request, web, caller, space, &path).await,
    }
}

/// `/c/{collectionId}/…`
async fn of_collection(request: HttpRequest, web: WebData) -> HttpResponse {
    match credentials(&request) {
        Some(caller) => {
            let page = async {
                let id = part(&request, "collectionId")?;
                let rest = path_of(&request, "rest")?;
                match rest.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                    [] => collection::page(&request, &web, caller, id).await,
                    ["settings"] => settings::content::collection(&web, caller, id).await,
                    ["access"] => settings::content::collection_access(&request, &web, caller, id).await,
                    _ => Err(ApiError::not_found()),
                }
            };
            answer(&request, &web, page).await
        }
        None => published_or_sign_in(&request, &web, app_urls::collection(&request, &web)).await,
    }
}

/// `/o/{organizationId}/…`
async fn in_organization(request: HttpRequest, web: WebData) -> HttpResponse {
    let Some(caller) = credentials(&request) else {
        return published_or_sign_in(&request, &web, app_urls::organization(&request, &web)).await;
    };
    let rest = segments(request.match_info().get("rest").unwrap_or_default()).unwrap_or_default();
    let names: Vec<&str> = rest.iter().map(String::as_str).collect();
    let page = async {
        let id = part(&request, "organizationId")?;
        match names.as_slice() {
            [] => home::of_organization(&request, &web, caller, id).await,
            ["changes"] => changes::of_organization(&request, &web, caller, id).await,
            ["search"] => search::of_organization(&request, &web, caller, id).await,
            ["sites"] => sites::list(&request, &web, caller, id).await,
            ["sites", site, rest @ ..] => match sites::page(&request, &web, caller, (id, site), rest).await {
                Err(error)
                    if matches!(error.status_code(), StatusCode::NOT_FOUND | StatusCode::FORBIDDEN) =>
                {
                    published_to_others(&request, &web, caller, id).await
                }
                answer => answer,
            },
            path => match settings::page(&request, &web, caller, id, path).await? {
                Some(page) => Ok(page),
                None => published_to_others(&request, &web, caller, id).await,
            },
        }
    };
    answer(&request, &web, page).await
}

/// `/integrations/{integrationName}`
async fn integration(request: HttpRequest, web: WebData) -> HttpResponse {
    match credentials(&request) {
        Some(_) => answer(&request, &web, published(app_urls::integration(&request, &web))).await,
        None => published_or_sign_in(&request, &web, app_urls::integration(&request, &web)).await,
    }
}

/// Redirects non-members from an address without a page to the published page about it. Responds to members with 404.
async fn published_to_others(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let look = move |reader: &mut Reader<'_>| {
        let found = reader.organization(id).and_then(|found| found.authorize(Action::ViewOrganization));
        match found {
            Ok(_) => Ok(true),
            Err(Error::NotFound) => Ok(false),
            Err(error) => Err(error.into()),
        }
    };
    if web.state.read(caller, look).await? {
        return Err(ApiError::not_found());
    }
    published(app_urls::organization(request, web)).await
}

/// Returns the redirect to a published page, or 404.
async fn published(lookup: impl Future<Output = ApiResult<Option<HttpResponse>>>) -> ApiResult<HttpResponse> {
    lookup.await?.ok_or_else(ApiError::not_found)
}

/// Responds to a caller without credentials. Everything that is not published redirects to the sign-in page, even if it
/// does not exist.
async fn published_or_sign_in(
    request: &HttpRequest,
    web: &WebData,
    lookup: impl Future<Output = ApiResult<Option<HttpResponse>>>,
) -> HttpResponse {
    match lookup.await {
        Ok(Some(redirect)) => redirect,
        Ok(None) => sign_in_link::sign_in(request, web),
        Err(error) => failed(request, web, &error),
    }
}

/// Returns a parameter of the path, or 404 if it is malformed.
fn part<T: std::str::FromStr>(request: &HttpRequest, name: &str) -> ApiResult<T> {
    let value = request.match_info().get(name).unwrap_or_default();
    value.parse().map_err(|_| ApiError::not_found())
}

/// Returns the decoded segments of the rest of the path.
fn path_of(request: &HttpRequest, name: &str) -> ApiResult<Vec<String>> {
    segments(request.match_info().get(name).unwrap_or_default()).ok_or_else(ApiError::not_found)
}
