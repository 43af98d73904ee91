//! Sign-in of visitors to a site, and previews of it.

use quire_content::redirects::site_path;
use quire_domain::error::field_errors;
use quire_domain::object::PublishingAuthTag;
use quire_domain::sites::customization::overridden;
use quire_domain::sites::{
    PublishingAuth, PublishingAuthBackend, PublishingAuthUpdate, SitePreview, SitePreviewQuery,
};
use quire_server::jwt::visitor_key_text;
use quire_server::preview::{LIFETIME, Preview, segment};
use quire_storage::sites::SiteRecord;
use quire_storage::sites::published::{FoundSite, PreviewedState, SiteAddress, VisitorAuth};
use validator::Validate as _;

use super::{SitePath, WithConditions, lock, read};
use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const AUTH: Resource =
        Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/publishing/auth", Some(Object::Site));
    const REGENERATE: Resource = Tag::Sites
        .at("/v1/orgs/{organizationId}/sites/{siteId}/publishing/auth/regenerate", Some(Object::Site));
    const PREVIEW: Resource =
        Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/publishing/preview", None);
    let administer = Needs(Action::AdministerOrganization);
    let view = Needs(Action::ViewOrganizationContent);
    vec![
        Route::get(
            AUTH,
            Needs(Action::InspectOrganization),
            "Get the sign-in of a site's visitors",
            get_site_publishing_auth_by_id,
        )
        .answers::<PublishingAuth>(200),
        Route::patch(
            AUTH,
            administer,
            "Update the sign-in of a site's visitors",
            update_site_publishing_auth_by_id,
        )
        .body::<PublishingAuthUpdate>()
        .answers::<PublishingAuth>(200),
        Route::post(
            REGENERATE,
            administer,
            "Replace the key of visitor tokens",
            regenerate_site_publishing_auth_by_id,
        )
        .answers::<PublishingAuth>(200),
        Route::get(PREVIEW, view, "Get a preview of a site", get_site_publishing_preview_by_id)
            .query::<SitePreviewQuery>()
            .answers::<SitePreview>(200),
    ]
}

async fn get_site_publishing_auth_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let look = move |reader: &mut Reader<'_>| {
        let site = administered(reader, path, Action::InspectOrganization)?;
        let key = reader.made_visitor_key(path.0)?;
        Ok(shown(reader.visitor_auth(&site)?, key))
    };
    respond::ok(&request, &state.read(caller, look).await?)
}

async fn update_site_publishing_auth_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    if_match: IfMatch,
    Json(body): Json<PublishingAuthUpdate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let PublishingAuthUpdate { backend: PublishingAuthBackend::Custom, fallback_url, logout_url } = body;
    let (fallback_url, logout_url) = (fallback_url.into_text()?, logout_url.into_text()?);
    let auth = state
        .transact(caller, move |tx| {
            administered(tx, path, Action::AdministerOrganization)?;
            let site = lock(tx, path)?;
            let before = tx.visitor_auth(&site)?;
            let key = tx.made_visitor_key(path.0)?;
            if_match.check(&shown(before.clone(), key))?;
            let auth = VisitorAuth {
                fallback_url: fallback_url.apply(before.fallback_url),
                logout_url: logout_url.apply(before.logout_url),
            };
            tx.put_visitor_auth(&site, &auth)?;
            let organization = tx.organization(path.0)?.authorize(Action::AdministerOrganization)?;
            Ok(shown(auth, Some(tx.key_of_visitors(&organization)?)))
        })
        .await?;
    respond::changed(&auth)
}

async fn regenerate_site_publishing_auth_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    state: State,
) -> ApiResult<HttpResponse> {
    let auth = state
        .transact(caller, move |tx| {
            let site = administered(tx, path, Action::AdministerOrganization)?;
            let organization = tx.organization(path.0)?.authorize(Action::AdministerOrganization)?;
            let key = tx.replace_key_of_visitors(&organization)?;
            Ok(shown(tx.visitor_auth(&site)?, Some(key)))
        })
        .await?;
    respond::changed(&auth)
}

/// Returns the site for an administrator of its organization, because the key opens all sites of the organization.
fn administered(
    reader: &mut Reader<'_>,
    path: (OrganizationId, SiteId),
    action: Action,
) -> ApiResult<Authorized<SiteRecord>> {
    let site = read(reader, path)?;
    reader.organization(path.0)?.authorize(action)?;
    Ok(site)
}

fn shown(auth: VisitorAuth, key: Option<[u8; 32]>) -> PublishingAuth {
    PublishingAuth {
        object: PublishingAuthTag::Tag,
        backend: PublishingAuthBackend::Custom,
        private_key: key.as_ref().map(visitor_key_text),
        fallback_url: auth.fallback_url,
        logout_url: auth.logout_url,
    }
}

async fn get_site_publishing_preview_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    Query(query): Query<SitePreviewQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let SitePreviewQuery { site_space, change_request, revision, customization } = query;
    let state_of_space = match (change_request, revision) {
        (Some(_), Some(_)) => {
            return Err(ApiError::invalid_query("revision", "must not be given with `changeRequest`"));
        }
        (Some(id), None) => Some(PreviewedState::ChangeRequest(id)),
        (None, Some(id)) => Some(PreviewedState::Revision(id)),
        (None, None) => None,
    };
    let customization = customization.into_text()?;
    let (signer, urls) = (state.signer.clone(), state.urls.clone());
    let make = move |reader: &mut Reader<'_>| {
        let (previewed, look) = match &customization {
            None => (read(reader, path)?, None),
            Some(changes) => {
                let site = reader.site(path.0, path.1)?.authorize(Action::ManageSites)?;
                let look = look(&site, changes)?;
                (site, Some(look))
            }
        };
        let user = previewed.actor().user;
        let found = reader.find_site_structure(&SiteAddress::Id(path.0, path.1), None)?;
        let site = found.and_then(FoundSite::open_preview).ok_or_else(ApiError::not_found)?;
        let place = match site_space {
            Some(id) => site.spaces.iter().find(|space| space.id == id),
            None => site.default_in(site.default_section()),
        };
        let place =
            place.ok_or_else(|| ApiError::invalid_query("siteSpace", "must be a site space of the site"))?;
        if let Some(shown) = state_of_space {
            reader.previewed((path.0, place.space), shown.into(), user)?;
        }
        let ends = reader.now().millis().div_euclid(1_000).saturating_add(LIFETIME);
        let shown = state_of_space.map(|shown| (place.space, shown));
        let preview = Preview { site: path.1, user, state: shown, ends, look };
        let root = urls.at_address(&site.site.address());
        let url = format!("{root}/{}{}", segment(&signer, &preview), site_path(&site, place, ""));
        Ok(SitePreview { url })
    };
    let preview = state.read(caller, make).await?;
    respond::ok(&request, &preview)
}

/// Checks settings that a preview shows in place of those of its site, and returns them in the form for its URL.
fn look(site: &SiteRecord, text: &str) -> ApiResult<String> {
    let refused = |error: serde_json::Error| ApiError::invalid_query("customization", error.to_string());
    let changes: Map<String, Value> = serde_json::from_str(text).map_err(refused)?;
    let settings = overridden(&present::customization(site)?, &changes).map_err(refused)?;
    if let Err(errors) = WithConditions(settings).validate() {
        let within =
            |error: FieldError| FieldError { field: format!("customization.{}", error.field), ..error };
        let details = field_errors(&errors).into_iter().map(within).collect();
        return Err(ApiError::new(Reason::InvalidQuery).with_details(details));
    }
    serde_json::to_string(&changes).map_err(ApiError::internal)
}
