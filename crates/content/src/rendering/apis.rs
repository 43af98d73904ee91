//! Parts of OpenAPI specifications that a page shows.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use quire_domain::ids::OpenApiSpecVersionId;
use quire_markup::ContentRef;
use quire_markup::openapi::{Json, server_url};
use quire_render::{ApiPart, ApiPiece};
use quire_storage::Reader;
use quire_storage::content::openapi_specs::{Outline, PageKind, ReadableSpecs, SpecPage, SpecPieces};

use crate::computed::{Computed, MAX_OPERATIONS};
use crate::{Error, Result};

/// Parts by specification and JSON pointer.
pub type Apis = HashMap<ContentRef, HashMap<String, ApiPiece>>;

/// Components of specifications by version and number, with their JSON pointers.
type Parts = HashMap<(OpenApiSpecVersionId, i32), (String, Json)>;

/// Returns the parts that a page shows, of specifications that its space may show. Their number has the limit of a
/// computed page. A block may refer to a specification of the organization by its source URL. Sends four statements at
/// most, and none for a page without such parts.
///
/// # Errors
/// If a stored specification is damaged.
pub fn apis(
    reader: &mut Reader<'_>,
    specs: ReadableSpecs,
    computed: &Computed,
    shown: &BTreeSet<ApiPart>,
) -> Result<Apis> {
    let names: BTreeSet<&str> = shown.iter().filter_map(name_of).collect();
    let urls: BTreeSet<&str> = shown.iter().filter_map(url_of).collect();
    let (mut named, mut fetched) = (HashMap::new(), HashMap::new());
    if !names.is_empty() {
        named = reader.specs_named(specs, &names.into_iter().collect::<Vec<_>>())?;
    }
    if !urls.is_empty() {
        fetched = reader.specs_at_urls(specs, &urls.into_iter().collect::<Vec<_>>())?;
    }
    let versions: HashSet<OpenApiSpecVersionId> =
        named.values().chain(fetched.values()).map(|spec| spec.version).collect();
    let versions: Vec<OpenApiSpecVersionId> = versions.into_iter().collect();
    if versions.is_empty() {
        return Ok(Apis::new());
    }
    let outlines = reader.outlines(specs, &versions)?;
    let find = |part: &'_ ApiPart| {
        let spec = name_of(part).and_then(|name| named.get(name));
        let version = spec.or_else(|| fetched.get(url_of(part)?))?.version;
        let outline = outlines.get(&version)?;
        let mut found =
            part.pointers.iter().filter_map(|pointer| Some((pointer, outline.index_of(pointer)?)));
        found.next().map(|(pointer, index)| (pointer.clone(), version, index))
    };
    let found: Vec<_> =
        shown.iter().filter_map(|part| find(part).map(|found| (part, found))).take(MAX_OPERATIONS).collect();
    let mut indexes: Vec<_> = found.iter().map(|(_, (_, version, index))| (*version, *index)).collect();
    indexes.extend(versions.iter().filter_map(|version| Some((*version, info_of(outlines.get(version)?)?))));
    let SpecPieces { pages, parts } = reader.spec_pages(specs, &indexes)?;
    let parts = parts.into_iter().map(|(number, part)| Ok((number, (part.pointer, parse(&part.body)?))));
    let parts: Parts = parts.collect::<Result<_>>()?;
    let mut apis = Apis::new();
    for (part, (pointer, version, index)) in found {
        let Some(page) = pages.get(&(version, index)) else { continue };
        let info = outlines.get(&version).and_then(|outline| pages.get(&(version, info_of(outline)?)));
        let piece = piece(page, info, version, &parts, computed)?;
        apis.entry(part.specification.clone()).or_default().insert(pointer, piece);
    }
    Ok(apis)
}

fn name_of(part: &ApiPart) -> Option<&str> {
    match &part.specification {
        ContentRef::OpenApi { spec } => Some(spec),
        _ => None,
    }
}

fn url_of(part: &ApiPart) -> Option<&str> {
    match &part.specification {
        ContentRef::Url { url } => Some(url),
        _ => None,
    }
}

/// Returns the index of the page about the specification. Its body has the servers.
fn info_of(outline: &Arc<Outline>) -> Option<usize> {
    outline.pages.iter().position(|page| page.kind == PageKind::Info)
}

fn piece(
    page: &SpecPage,
    info: Option<&SpecPage>,
    version: OpenApiSpecVersionId,
    parts: &Parts,
    computed: &Computed,
) -> Result<ApiPiece> {
    let info = info.map(|info| parse(&info.body)).transpose()?;
    let server = info.as_ref().and_then(|info| server_url(info.items_of("servers").first()?));
    let own = page.parts.iter().filter_map(|number| parts.get(&(version, *number)));
    let own: HashMap<String, Json> = own.cloned().collect();
    let linked = computed.pages_of(version);
    let page_at = |pointer: &String| Some((pointer.clone(), linked?.page_at(pointer)?.to_string()));
    Ok(ApiPiece {
        body: parse(&page.body)?,
        server,
        pages: own.keys().filter_map(page_at).collect(),
        parts: own,
    })
}

fn parse(body: &str) -> Result<Json> {
    Json::parse(body).map_err(|error| Error::internal("a stored specification is damaged", error))
}
