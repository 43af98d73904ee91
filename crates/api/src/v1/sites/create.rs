//! `POST /v1/orgs/{organizationId}/sites`

use actix_web::HttpResponse;
use quire_content::attachments::Attachments;
use quire_content::{ContentWrite, Draft, ExpectedRevisions, Seen, Write};
use quire_domain::bounded::IntoText as _;
use quire_domain::content::ContentChanges;
use quire_domain::ids::{OrganizationId, SpaceId};
use quire_domain::policy::Action;
use quire_domain::sites::{DEFAULT_TITLE, NewSiteSpace, NewSiteSpaces, SiteCreate, SpaceIds};
use quire_domain::spaces::DEFAULT_EMOJI;
use quire_markup::slugify;
use quire_storage::Tx;
use quire_storage::lookup::{Authorized, ContentSelector, OrganizationRecord, SpaceRecord};
use quire_storage::sites::NewSite;
use quire_storage::spaces::Parent;

use super::lock;
use crate::api::{Api, ApiData};
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, OptionalJson, Path};
use crate::present::SiteView;
use crate::respond;

/// Content changes of the sample space.
const SAMPLE: &str = include_str!("sample.json");
/// Longest title of a space, in characters.
const SPACE_TITLE: usize = 50;

/// Creates an unpublished site, with existing spaces or a new one.
pub async fn create_site(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    OptionalJson(body): OptionalJson<SiteCreate>,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let state = &api.state;
    let SiteCreate { site_type, title, visibility, spaces } = body;
    let title = title.into_text()?.unwrap_or_else(|| DEFAULT_TITLE.to_owned());
    let new = NewSite { kind: site_type, slug: slugify(&title), title, visibility };
    let sample = match &spaces {
        Some(NewSiteSpaces::New(NewSiteSpace::Sample)) => Some(sample(&api).await?),
        _ => None,
    };
    let site = state
        .transact(caller, move |tx| {
            let owner = tx.organization(organization)?.authorize(Action::ManageSites)?;
            let spaces = match spaces {
                None => Vec::new(),
                Some(NewSiteSpaces::Existing(SpaceIds(ids))) => existing(tx, &owner, &ids)?,
                Some(NewSiteSpaces::New(_)) => vec![new_space(tx, &owner, &new.title, sample)?],
            };
            let site = tx.create_site(&owner, &new)?;
            let locked = lock(tx, (organization, site))?;
            let spaces: Vec<_> = spaces
                .into_iter()
                .map(|space| {
                    let path = slugify(&space.title);
                    (space, path)
                })
                .collect();
            tx.fill_new_site(&locked, &spaces)?;
            lock(tx, (organization, site))
        })
        .await?;
    let site = SiteView::new(&state.urls, &site).seen_by(site.role()).site();
    respond::created(&site.urls.location, &site)
}

/// Returns spaces that the caller may add to a site, in the order of the body.
fn existing(
    tx: &mut Tx<'_>,
    owner: &Authorized<OrganizationRecord>,
    ids: &[SpaceId],
) -> ApiResult<Vec<Authorized<SpaceRecord>>> {
    let mut visible = tx.visible_spaces(owner, ids)?;
    let in_order = ids.iter().enumerate().map(|(index, id)| {
        let found = visible.iter().position(|space| space.id == *id);
        let space = found.map(|at| visible.swap_remove(at)).ok_or_else(|| {
            ApiError::invalid_field(format!("spaces[{index}]"), "does not exist in this organization")
        })?;
        match space.may(Action::PublishSpace) {
            true => Ok(space),
            false => Err(quire_storage::Error::Forbidden { action: Action::PublishSpace }.into()),
        }
    });
    in_order.collect()
}

/// Parses the sample content for a new space.
async fn sample(api: &Api) -> ApiResult<(Write, Draft)> {
    let body: ContentChanges = serde_json::from_str(SAMPLE).map_err(ApiError::internal)?;
    let (attachments, expected) = (Attachments::default(), ExpectedRevisions::default());
    Ok(ContentWrite { body, attachments, expected }.read(api, Seen::default()).await?)
}

/// Creates a space at the organization's root with the title of the site.
fn new_space(
    tx: &mut Tx<'_>,
    owner: &Authorized<OrganizationRecord>,
    title: &str,
    sample: Option<(Write, Draft)>,
) -> ApiResult<Authorized<SpaceRecord>> {
    let title: String = title.chars().take(SPACE_TITLE).collect();
    let id = tx.create_space(Parent::Root(owner), &title, DEFAULT_EMOJI)?;
    if let Some((write, draft)) = sample {
        // The creator of a space may fill it, whatever role the creator has on it later.
        let content = tx.content(id, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
        write.commit(&draft, tx, &content)?;
    }
    Ok(tx.space(id)?.authorize(Action::ViewSpace)?)
}
