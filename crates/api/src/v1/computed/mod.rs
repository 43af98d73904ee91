//! Computed content.

pub mod document;
pub mod revision;

use quire_content::computed::{SpecPages, resolve};
use quire_content::visible::shows_spec;
use quire_domain::computed::RevisionSource;
use quire_domain::ids::SpaceId;
use quire_storage::Reader;
use quire_storage::lookup::{Authorized, ContentAt, ContentSelector};

use crate::error::{ApiError, ApiResult};
use crate::extract::Reading;
use crate::visitors::{Claims, Readable, readable_content};

/// Returns the pages of a source, if the caller may read the specification or the content of the space uses it: for
/// visitors, outside of parts whose conditions they don't meet.
fn pages_of(
    reader: &mut Reader<'_>,
    (caller, space): (&Reading, SpaceId),
    source: RevisionSource,
    seed: &str,
) -> ApiResult<(Authorized<ContentAt>, SpecPages)> {
    let Readable { content, claims } = readable_content(reader, caller, (space, ContentSelector::Space))?;
    let name = source.dependencies.spec.reference.spec.clone();
    let pages = resolve(reader, content.specs(), vec![(source, seed.to_owned())])?.pop().flatten();
    if let Some(claims) = claims {
        let pages = pages.ok_or_else(ApiError::not_found)?;
        return match shows(reader, &content, &pages, &claims)? {
            true => Ok((content, pages)),
            false => Err(ApiError::not_found()),
        };
    }
    let pages = pages.ok_or_else(|| {
        ApiError::not_found().with_message(format!(
            "The OpenAPI specification `{name}` does not exist or has no processed version."
        ))
    })?;
    Ok((content, pages))
}

/// Returns `true` if a visitor sees the specification of pages in the content.
fn shows(
    reader: &mut Reader<'_>,
    content: &Authorized<ContentAt>,
    pages: &SpecPages,
    claims: &Claims,
) -> ApiResult<bool> {
    let evaluator = claims.evaluator();
    let is_shown = |document: &_, names: &[String]| shows_spec(document, &evaluator, names);
    Ok(reader.shows_spec_to_visitor(content, &pages.spec, is_shown)?)
}
