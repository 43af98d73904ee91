//! Computed content.

pub mod document;
pub mod revision;

use quire_content::computed::{SpecPages, resolve};
use quire_domain::computed::RevisionSource;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_storage::Reader;
use quire_storage::lookup::{Authorized, ContentAt, ContentSelector};

use crate::error::{ApiError, ApiResult};

/// Returns the pages of a source, if the caller may read the specification or the content of the space uses it.
fn pages_of(
    reader: &mut Reader<'_>,
    space: SpaceId,
    source: RevisionSource,
    seed: &str,
) -> ApiResult<(Authorized<ContentAt>, SpecPages)> {
    let content = reader.content(space, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
    let name = source.dependencies.spec.reference.spec.clone();
    let pages = resolve(reader, content.specs(), vec![(source, seed.to_owned())])?.pop().flatten();
    let pages = pages.ok_or_else(|| {
        ApiError::not_found().with_message(format!(
            "The OpenAPI specification `{name}` does not exist or has no processed version."
        ))
    })?;
    Ok((content, pages))
}
