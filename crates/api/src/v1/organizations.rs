//! Organizations.

use quire_domain::Organization;
use quire_domain::object::SubdomainTag;
use quire_domain::organizations::{
    OrganizationCreate, OrganizationType, OrganizationUpdate, OrganizationsByDomain, Subdomain,
    SubdomainTarget,
};
use quire_domain::policy::DEFAULT_ROLE;
use quire_domain::texts::{EmailDomain, SubdomainLabel};
use quire_markup::slugify;
use quire_server::second_factor::require_recent_proof;
use quire_storage::people::organizations::NewOrganization;

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::Organizations.at("/v1/orgs", None),
            SignedIn,
            "List the current user's organizations",
            list_organizations_for_authenticated_user,
        )
        .query::<PageQuery>()
        .lists::<Organization>(),
        Route::post(
            Tag::Organizations.at("/v1/orgs", None),
            Own(OwnAction::CreateOrganization),
            "Create an organization",
            create_organization,
        )
        .body::<OrganizationCreate>()
        .answers::<Organization>(201),
        Route::get(
            Tag::Organizations.at("/v1/orgs/{organizationId}", Some(Object::Organization)),
            Needs(Action::ViewOrganization),
            "Get an organization",
            get_organization_by_id,
        )
        .answers::<Organization>(200),
        Route::patch(
            Tag::Organizations.at("/v1/orgs/{organizationId}", Some(Object::Organization)),
            Needs(Action::AdministerOrganization),
            "Update an organization",
            update_organization_by_id,
        )
        .body::<OrganizationUpdate>()
        .answers::<Organization>(200),
        Route::get(
            Tag::Organizations.at("/v1/email-domains/{emailDomain}/orgs", None),
            SignedIn,
            "Find organizations by e-mail domain",
            get_organizations_for_email_domain,
        )
        .answers::<OrganizationsByDomain>(200),
        Route::get(
            Tag::Organizations.at("/v1/subdomains/{subdomain}", None),
            SignedIn,
            "Get a subdomain",
            get_subdomain,
        )
        .answers::<Subdomain>(200),
    ]
}

const LIST: &str = "organizations";

async fn list_organizations_for_authenticated_user(
    Caller(caller): Caller,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<OrganizationId>::new(LIST, &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            reader.actor()?;
            Ok(reader.organizations(after, limit)?)
        })
        .await?;
    list.respond(&request, slice, |record| record.id, |record| present::organization(&state.urls, record))
}

async fn create_organization(
    Caller(caller): Caller,
    Json(body): Json<OrganizationCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let new = new_organization(body)?;
    let organization = state
        .transact(caller, move |tx| {
            let actor = tx.actor()?;
            let limits = tx.token_limits(actor)?;
            if !limits.allow_own(OwnAction::CreateOrganization) {
                return Err(ApiError::new(Reason::Forbidden));
            }
            let id = tx.found_organization(actor, new)?;
            Ok(tx.organization(id)?.authorize(Action::ViewOrganization)?)
        })
        .await?;
    let organization = present::organization(&state.urls, organization.into_inner())?;
    respond::created(&organization.urls.location, &organization)
}

fn new_organization(body: OrganizationCreate) -> ApiResult<NewOrganization> {
    let OrganizationCreate {
        title,
        email_domains,
        hostname,
        organization_type,
        use_case,
        community_type,
        default_role,
    } = body;
    let title = title.into_text()?;
    Ok(NewOrganization {
        slug: slugify(&title),
        title,
        email_domains: email_domains.into_text()?.unwrap_or_default(),
        hostname: hostname.into_text()?,
        kind: match organization_type {
            None | Some(OrganizationType::Business) => "business",
            Some(OrganizationType::Community) => "community",
        },
        use_case: use_case.map(word).transpose()?,
        community_type: community_type.map(word).transpose()?,
        default_role: match default_role {
            Patch::Keep => Some(DEFAULT_ROLE),
            Patch::Clear => None,
            Patch::Set(role) => Some(role),
        },
    })
}

/// Returns the wire form of an enumeration's value, which is also its stored form.
fn word(value: impl Serialize) -> ApiResult<String> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => Ok(word),
        Ok(other) => Err(ApiError::internal(anyhow::anyhow!("{other} is not a known value"))),
        Err(error) => Err(ApiError::internal(error)),
    }
}

async fn get_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let organization = state
        .read(caller, move |reader| Ok(reader.organization(id)?.authorize(Action::ViewOrganization)?))
        .await?;
    respond::ok(&request, &present::organization(&state.urls, organization.into_inner())?)
}

async fn update_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    OptionalJson(body): OptionalJson<OrganizationUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let changed = state
        .transact(caller, move |tx| {
            let unlocked = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            tx.lock_organization_of(&unlocked)?;
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            if_match.check_with(|| present::organization(&urls, (*organization).clone()))?;
            let changes_sign_in = body.sso.is_some_and(|sso| sso != organization.sso)
                || body.second_factor_required.is_some_and(|is| is != organization.second_factor_required);
            if changes_sign_in {
                require_recent_proof(tx)?;
            }
            let user = organization.actor().user;
            if body.second_factor_required == Some(true) && !tx.has_any_factor(user)? {
                return Err(ApiError::new(Reason::Conflict)
                    .with_message("Set up a second factor for your own account before you require one."));
            }
            tx.update_organization(&organization, body)?;
            Ok(tx.organization(id)?.authorize(Action::ViewOrganization)?.into_inner())
        })
        .await?;
    respond::changed(&present::organization(&state.urls, changed)?)
}

async fn get_organizations_for_email_domain(
    Caller(caller): Caller,
    Path(domain): Path<String>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let domain = EmailDomain::new(domain).and_then(EmailDomain::into_text);
    let records = state
        .read(caller, move |reader| {
            reader.actor()?;
            // A malformed domain has no organizations, so it is not looked up.
            let domain = domain.as_ref().map_err(|_| ApiError::not_found())?;
            Ok(reader.organizations_of_domain(domain)?)
        })
        .await?;
    let organizations = records
        .into_iter()
        .map(|record| present::organization(&state.urls, record))
        .collect::<ApiResult<_>>()?;
    respond::ok(&request, &OrganizationsByDomain { organizations })
}

async fn get_subdomain(
    Caller(caller): Caller,
    Path(subdomain): Path<String>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let name = SubdomainLabel::new(subdomain.clone()).and_then(SubdomainLabel::into_text);
    let record = state
        .read(caller, move |reader| {
            reader.actor()?;
            let name = name.as_ref().map_err(|_| ApiError::not_found())?;
            Ok(reader.subdomain(name)?)
        })
        .await?;
    respond::ok(
        &request,
        &Subdomain {
            object: SubdomainTag::Tag,
            subdomain,
            target: SubdomainTarget::Organization { organization: record.organization },
            is_active: !record.is_blocked,
        },
    )
}
