//! Expansion of placeholders into pages.

use std::num::NonZeroU64;
use std::sync::Arc;

use quire_domain::computed::RevisionSource;
use quire_revision::{PageKind, PageNode, Tree};
use quire_storage::Reader;
use quire_storage::content::openapi_specs::{ReadableSpecs, SpecOf};
use sha2::{Digest as _, Sha256};

use super::cache::Expansions;
use super::pages::{Computed, PagePosition, SpecPages};
use crate::error::Result;

/// Returns the specifications of sources, given with their seeds. `None` for a specification that does not exist or has
/// no version yet. Sends one statement for all sources.
fn named(
    reader: &mut Reader<'_>,
    specs: ReadableSpecs,
    sources: &[(RevisionSource, String)],
) -> Result<Vec<Option<SpecOf>>> {
    let names: Vec<&str> =
        sources.iter().map(|(source, _)| source.dependencies.spec.reference.spec.as_str()).collect();
    let found = reader.specs_named(specs, &names)?;
    Ok(names.into_iter().map(|name| found.get(name).cloned()).collect())
}

/// Returns the pages of these specifications for sources, given with their seeds. Sends one statement, or none if all
/// outlines are in memory.
fn pages_of(
    reader: &mut Reader<'_>,
    specs: ReadableSpecs,
    sources: Vec<(RevisionSource, String)>,
    named: Vec<Option<SpecOf>>,
) -> Result<Vec<Option<SpecPages>>> {
    let versions: Vec<_> = named.iter().flatten().map(|spec| spec.version).collect();
    let outlines = reader.outlines(specs, &versions)?;
    let found = sources.into_iter().zip(named).map(|((source, seed), spec)| {
        let spec = spec?;
        let outline = outlines.get(&spec.version)?.clone();
        let name = source.dependencies.spec.reference.spec;
        Some(SpecPages { spec, outline, seed, props: source.props, name })
    });
    Ok(found.collect())
}

/// Returns the pages for sources, given with their seeds. `None` for a source whose specification does not exist or has
/// no version yet. Sends at most two statements for all sources.
pub fn resolve(
    reader: &mut Reader<'_>,
    specs: ReadableSpecs,
    sources: Vec<(RevisionSource, String)>,
) -> Result<Vec<Option<SpecPages>>> {
    let named = named(reader, specs, &sources)?;
    pages_of(reader, specs, sources, named)
}

/// Placeholders of a tree, with their sources and seeds.
type Placeholders = (Vec<PageNode>, Vec<(RevisionSource, String)>);

fn placeholders(tree: &Tree) -> Placeholders {
    let of = |page: &PageNode| {
        let PageKind::Computed { source, seed } = &page.kind else { return None };
        // A newer version may have written a placeholder with a source of another kind.
        let source = serde_json::from_value::<RevisionSource>(source.clone()).ok()?;
        Some((page.clone(), (source, seed.clone())))
    };
    tree.computed_pages().filter_map(of).unzip()
}

/// Returns a hash of everything that determines the computed pages of a tree: its placeholders, their ancestors, and
/// the versions of their specifications. Returns `None` for a tree without placeholders. Otherwise sends one statement.
pub(crate) fn state(
    reader: &mut Reader<'_>,
    specs: ReadableSpecs,
    tree: &Tree,
) -> Result<Option<NonZeroU64>> {
    let (holders, sources) = placeholders(tree);
    if holders.is_empty() {
        return Ok(None);
    }
    let named = named(reader, specs, &sources)?;
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update(text);
        hash.update([0]);
    };
    for ((holder, (source, seed)), spec) in holders.iter().zip(&sources).zip(&named) {
        add(seed);
        add(&serde_json::to_string(source).unwrap_or_default());
        add(&spec
            .as_ref()
            .map_or_else(String::new, |spec| format!("{} {}", spec.slug, state_of(source, spec))));
        add(if holder.no_index { "noIndex" } else { "" });
        add(&holder.parent.and_then(|parent| tree.path_of(parent)).unwrap_or_default());
        tree.ancestors(holder.id).for_each(|above| add(&above.title));
    }
    let state = hash.finalize().first_chunk().map_or(1, |first| u64::from_be_bytes(*first));
    Ok(Some(NonZeroU64::new(state).unwrap_or(NonZeroU64::MIN)))
}

/// Returns the tree with its placeholders expanded. A placeholder remains if its specification does not exist or has no
/// version yet, or if its pages do not fit into the tree. Sends no statement for a tree without placeholders, and one
/// if the result is in `expansions`.
pub fn expand(
    reader: &mut Reader<'_>,
    specs: ReadableSpecs,
    tree: Tree,
    expansions: Option<&Expansions>,
) -> Result<(Tree, Arc<Computed>)> {
    let (holders, sources) = placeholders(&tree);
    if holders.is_empty() {
        if let Some(expansions) = expansions {
            expansions.keep_plain(tree.root());
        }
        return Ok((tree, Arc::default()));
    }
    let named = named(reader, specs, &sources)?;
    let states: Vec<Option<String>> = sources
        .iter()
        .zip(&named)
        .map(|((source, _), spec)| Some(state_of(source, spec.as_ref()?)))
        .collect();
    let key = (tree.root(), states.clone());
    if let Some(expanded) = expansions.and_then(|expansions| expansions.get(&key)) {
        return Ok(expanded);
    }
    let pages = pages_of(reader, specs, sources, named.clone())?;
    // If the pages of a version were pruned during the read, the expansion is incomplete and not cached.
    let is_whole = pages.iter().zip(&named).all(|(pages, spec)| pages.is_some() == spec.is_some());
    let (tree, computed) = fill(tree, holders, pages, states);
    let computed = Arc::new(computed);
    if let Some(expansions) = expansions.filter(|_| is_whole) {
        expansions.keep(key, &tree, &computed);
    }
    Ok((tree, computed))
}

/// Returns the state of a specification that the pages of a source depend on.
fn state_of(source: &RevisionSource, spec: &SpecOf) -> String {
    let version = spec.version.to_string();
    match &spec.source_url {
        Some(url) if source.props.download_link == Some(true) => format!("{version} {url}"),
        _ => version,
    }
}

/// Replaces placeholders by their pages.
fn fill(
    tree: Tree,
    holders: Vec<PageNode>,
    pages: Vec<Option<SpecPages>>,
    states: Vec<Option<String>>,
) -> (Tree, Computed) {
    let (mut tree, mut computed) = (tree, Computed::default());
    for ((holder, pages), state) in holders.into_iter().zip(pages).zip(states) {
        let put = pages.and_then(|pages| {
            let mut next = tree.clone();
            let position = PagePosition::of(&next, &holder);
            match next.remove_page(holder.id).and_then(|_| computed.put(&mut next, pages, position)) {
                Ok(()) => Some(next),
                Err(error) => {
                    log::warn!("the pages of placeholder {} could not be added: {error}", holder.id);
                    None
                }
            }
        });
        computed.note(state.filter(|_| put.is_some()));
        if let Some(next) = put {
            tree = next;
        }
    }
    (tree, computed)
}
