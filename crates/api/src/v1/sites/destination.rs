//! Destinations of redirects.

use quire_domain::sites::{RedirectDestination, RedirectDestinationInput, RedirectDestinationKind};
use quire_revision::Tree;
use quire_storage::sites::published::{PublishedSite, PublishedSpace};

use crate::prelude::*;

/// Returns the stored form of a destination in a request, which must be on the site. The page at a path is looked up.
///
/// # Errors
/// [`Unfit::Field`] for a missing key or a destination that is not on the site.
pub(super) fn checked(
    reader: &mut Reader<'_>,
    site: &PublishedSite,
    input: RedirectDestinationInput,
) -> Result<RedirectDestination, Unfit> {
    let RedirectDestinationInput { kind, site_section_id, site_space_id, page_id, url, space_id, path } =
        input;
    let space_of_kind = || {
        let id = required(site_space_id, "siteSpaceId")?;
        site.spaces.iter().find(|space| space.id == id).ok_or_else(|| missing("siteSpaceId"))
    };
    Ok(match kind {
        RedirectDestinationKind::SiteSection => {
            let id = required(site_section_id, "siteSectionId")?;
            let section = site.sections.iter().find(|section| section.id == id);
            let section = section.ok_or_else(|| missing("siteSectionId"))?;
            RedirectDestination::SiteSection { site_section_id: section.id }
        }
        RedirectDestinationKind::SiteSpace => {
            RedirectDestination::SiteSpace { site_space_id: space_of_kind()?.id }
        }
        RedirectDestinationKind::SitePage => {
            let (space, page_id) = (space_of_kind()?, required(page_id, "pageId")?);
            let tree = tree(reader, site, space)?.ok_or_else(|| missing("pageId"))?;
            let page = tree.page(page_id).map(|page| page.id);
            let page_id = page.ok_or_else(|| missing("pageId"))?;
            RedirectDestination::SitePage { site_space_id: space.id, page_id }
        }
        RedirectDestinationKind::External => {
            RedirectDestination::External { url: required(url, "url")?.into_text()? }
        }
        RedirectDestinationKind::Path => {
            let id = required(space_id, "spaceId")?;
            let space = site.spaces.iter().find(|space| space.space == id);
            let space = space.ok_or_else(|| missing("spaceId"))?;
            let path = required(path, "path")?.into_text()?;
            let tree = tree(reader, site, space)?.ok_or_else(|| missing("path"))?;
            let page = tree.page_by_path(path.trim_matches('/')).ok_or_else(|| missing("path"))?;
            RedirectDestination::SitePage { site_space_id: space.id, page_id: page.id }
        }
    })
}

/// Destination that cannot be stored.
pub(super) enum Unfit {
    /// Key that does not fit, and the reason.
    Field(&'static str, &'static str),
    /// Any other failure.
    Failed(ApiError),
}

impl<E: Into<ApiError>> From<E> for Unfit {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl Unfit {
    /// Returns the error of a request with a single destination.
    pub(super) fn refusal(self) -> ApiError {
        match self {
            Self::Field(field, reason) => ApiError::invalid_field(format!("destination.{field}"), reason),
            Self::Failed(error) => error,
        }
    }

    /// Returns the reason for refusing one of several redirects.
    ///
    /// # Errors
    /// Other failures.
    pub(super) fn sentence(self) -> ApiResult<String> {
        match self {
            Self::Field(field, reason) => Ok(format!("`destination.{field}` {reason}")),
            Self::Failed(error) => Err(error),
        }
    }
}

fn required<T>(value: Option<T>, field: &'static str) -> Result<T, Unfit> {
    value.ok_or(Unfit::Field(field, "is required for this kind of destination"))
}

fn missing(field: &'static str) -> Unfit {
    Unfit::Field(field, "must be on the site")
}

/// Returns the stored form of a destination.
///
/// # Errors
/// An error if the destination cannot be serialized.
pub(super) fn written(destination: &RedirectDestination) -> ApiResult<Value> {
    serde_json::to_value(destination).map_err(ApiError::internal)
}

/// Returns the URL of the root of a site.
pub(super) fn root(urls: &Urls, site: &PublishedSite, share_key: Option<&str>) -> String {
    let root = urls.at_address(&site.site.address());
    share_key.map_or(root.clone(), |key| format!("{root}/{key}"))
}

/// Returns the pages of a space; `None` if the caller manages the site but may not read the space.
fn tree(reader: &mut Reader<'_>, site: &PublishedSite, space: &PublishedSpace) -> ApiResult<Option<Tree>> {
    if space.is_closed {
        return Ok(None);
    }
    Ok(Some(reader.tree(&site.content(space)?)?))
}
