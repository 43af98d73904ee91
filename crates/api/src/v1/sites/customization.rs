//! Customization of sites, and its overrides for site spaces.

use quire_domain::bounds::OVERRIDES_MAX;
use quire_domain::sites::HoldsConditions;
use quire_domain::sites::customization::{Customization, CustomizationOverrides};
use quire_storage::sites::ReadableSite;
use validator::{ValidationError, ValidationErrors, ValidationErrorsKind};

use super::{SitePath, as_member, lock, parts, read};
use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const CUSTOMIZATION: Resource =
        Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/customization", Some(Object::Site));
    const SITE_SPACE_CUSTOMIZATION: Resource = Tag::Sites.at(
        "/v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization",
        Some(Object::SiteSpace),
    );
    let view = Needs(Action::ViewOrganizationContent);
    let manage = Needs(Action::ManageSites);
    vec![
        Route::get(CUSTOMIZATION, view, "Get a site's customization", get_site_customization_by_id)
            .answers::<Customization>(200),
        Route::put(CUSTOMIZATION, manage, "Replace a site's customization", update_site_customization_by_id)
            .body::<Customization>()
            .answers::<Customization>(200),
        Route::get(
            SITE_SPACE_CUSTOMIZATION,
            view,
            "Get a site space's customization",
            get_site_space_customization_by_id,
        )
        .answers::<Customization>(200),
        Route::patch(
            SITE_SPACE_CUSTOMIZATION,
            manage,
            "Override a site's customization",
            override_site_space_customization_by_id,
        )
        .body::<CustomizationOverrides>()
        .answers::<Customization>(200),
        Route::delete(
            SITE_SPACE_CUSTOMIZATION,
            manage,
            "Remove a site space's customization",
            delete_site_space_customization_by_id,
        )
        .answers_nothing(),
    ]
}

type SiteSpacePath = (OrganizationId, SiteId, SiteSpaceId);

async fn get_site_customization_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let site = state.read(caller, move |reader| read(reader, path)).await?;
    respond::ok(&request, &present::customization(&site)?)
}

async fn update_site_customization_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    OptionalJson(WithConditions(body)): OptionalJson<WithConditions<Customization>>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let stored = state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            let current = present::customization(&site)?;
            if_match.check_with(|| Ok(current.clone()))?;
            if (Customization { updated_at: current.updated_at, ..body.clone() }) == current {
                return Ok(current);
            }
            let settings = Customization { updated_at: Some(tx.now()), ..body };
            tx.put_customization(&site, &serde_json::to_value(&settings).map_err(ApiError::internal)?)?;
            Ok(settings)
        })
        .await?;
    respond::changed(&stored)
}

async fn get_site_space_customization_by_id(
    Caller(caller): Caller,
    Path((organization, site, id)): Path<SiteSpacePath>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let settings = state
        .read(caller, move |reader| {
            let site = read(reader, (organization, site))?;
            let who = as_member(&site);
            if !who.sees_all() {
                let (parts, view) = (parts(reader, (&site).into())?, SiteView::new(&urls, &site));
                if view.visited_by(&who).shown_spaces(&parts).all(|space| space.id != id) {
                    return Err(ApiError::not_found());
                }
            }
            let overrides = overrides(reader, (&site).into(), id)?;
            present::site_space_customization(&site, overrides.as_ref())
        })
        .await?;
    respond::ok(&request, &settings)
}

async fn override_site_space_customization_by_id(
    Caller(caller): Caller,
    Path((organization, site, id)): Path<SiteSpacePath>,
    OptionalJson(WithConditions(body)): OptionalJson<WithConditions<CustomizationOverrides>>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let settings = state
        .transact(caller, move |tx| {
            let site = lock(tx, (organization, site))?;
            let current = overrides(tx, (&site).into(), id)?;
            if_match.check_with(|| present::site_space_customization(&site, current.as_ref()))?;
            let changed =
                body.applied_to(current.unwrap_or_default(), tx.now()).map_err(ApiError::internal)?;
            check_size(changed.as_ref())?;
            let settings = present::site_space_customization(&site, changed.as_ref())?;
            tx.put_site_space_customization(&site, id, changed)?;
            Ok(settings)
        })
        .await?;
    respond::changed(&settings)
}

/// Checks the total size of the overrides of a site space, which requests can increase step by step.
fn check_size(overrides: Option<&Map<String, Value>>) -> ApiResult<()> {
    let length = serde_json::to_string(&overrides).map_err(ApiError::internal)?.len();
    if length > OVERRIDES_MAX {
        let message = format!("must have at most {OVERRIDES_MAX} bytes as JSON, has {length}");
        return Err(ApiError::invalid_field("customization", message));
    }
    Ok(())
}

async fn delete_site_space_customization_by_id(
    Caller(caller): Caller,
    Path((organization, site, id)): Path<SiteSpacePath>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let site = lock(tx, (organization, site))?;
            overrides(tx, (&site).into(), id)?.ok_or_else(ApiError::not_found)?;
            Ok(tx.put_site_space_customization(&site, id, None)?)
        })
        .await?;
    Ok(respond::no_content())
}

/// Returns the overrides of a site space that the caller may see, with two statements.
fn overrides(
    reader: &mut Reader<'_>,
    site: ReadableSite<'_>,
    id: SiteSpaceId,
) -> ApiResult<Option<Map<String, Value>>> {
    reader.site_space(site, id)?;
    Ok(reader.site_space_customization(site, id)?)
}

/// Body whose validation includes its conditions.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct WithConditions<T>(pub(crate) T);

impl<T: Validate + HoldsConditions> Validate for WithConditions<T> {
    fn validate(&self) -> Result<(), ValidationErrors> {
        let mut errors = self.0.validate().err().unwrap_or_default();
        for (path, condition) in self.0.conditions() {
            if let Err(error) = quire_conditions::check(condition) {
                let error = ValidationError::new("condition").with_message(error.to_string().into());
                errors.0.insert(path, ValidationErrorsKind::Field(vec![error]));
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}
