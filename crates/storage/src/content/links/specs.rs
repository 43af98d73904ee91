//! OpenAPI specifications that content shows, in computed pages and in blocks of its documents.

use std::collections::BTreeSet;
use std::sync::Arc;

use diesel::prelude::*;
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, SpaceId};
use quire_revision::{Tree, TreeHash};

use super::index::document;
use crate::content::openapi_specs::ReadableSpecs;
use crate::content::store::ContentAt;
use crate::lookup::Authorized;
use crate::schema::{revisions, spaces};
use crate::transaction::Reader;
use crate::{Error, Result};

/// Number of documents that are read at once in the search for a block that shows a specification.
const DOCUMENTS_AT_ONCE: usize = 50;

impl Reader<'_> {
    /// Returns the names of the specifications that the current content of a space shows. Takes one statement, and a
    /// fixed number to load its tree and links unless these are cached.
    pub(crate) fn spec_names_shown_by(&mut self, space: SpaceId) -> Result<BTreeSet<Arc<str>>> {
        let head = revisions::space_id.eq(spaces::id).and(revisions::id.eq(spaces::head_revision));
        let root: Vec<u8> = spaces::table
            .find(space)
            .inner_join(revisions::table.on(head))
            .select(revisions::root)
            .get_result(self.connection)?;
        let root = root.as_slice().try_into().map_err(|_| {
            Error::corrupt("a revision is damaged", anyhow::anyhow!("the current one of space {space}"))
        })?;
        let tree = self.tree_of(space, TreeHash::from_bytes(root))?;
        Ok(self.links_of(space, &tree)?.index.shown_specs())
    }

    /// Returns whether one of these contents shows a specification with one of these names: as a computed page, or in a
    /// document for which `is_shown` is true. Statements only load uncached trees, links and documents.
    pub(crate) fn shows_spec(
        &mut self,
        roots: &[(SpaceId, TreeHash)],
        names: &[String],
        is_shown: impl Fn(&DocumentJson) -> bool,
    ) -> Result<bool> {
        let trees = self.trees_of(roots)?;
        for ((space, _), tree) in roots.iter().zip(trees) {
            let holders = self.links_of(*space, &tree)?.index.holders_of_specs(names);
            if holders.iter().any(|(_, in_document)| !in_document) {
                return Ok(true);
            }
            let entries = holders.iter().filter_map(|(entry, _)| tree.entry(*entry));
            let ids: Vec<DocumentId> = entries.filter_map(|entry| document(&entry)).collect();
            for some in ids.chunks(DOCUMENTS_AT_ONCE) {
                if self.documents_of(*space, some)?.values().any(&is_shown) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Loads the links of content into the cache before an edit. Under the lock, the check of the specifications that
    /// the edit shows then only computes the difference.
    pub fn load_links(&mut self, content: &Authorized<ContentAt>, tree: &Tree) -> Result<()> {
        self.links_of(content.space.id, tree).map(drop)
    }

    /// Refuses content that would show a specification which its author may not read, unless the previous content or
    /// the current content of the space shows it. It does not check whether the specification exists, so the response
    /// does not reveal that. The documents of both contents must be stored.
    pub(crate) fn require_readable_specs(
        &mut self,
        (space, specs): (SpaceId, ReadableSpecs),
        before: &Tree,
        after: &Tree,
    ) -> Result<()> {
        if !specs.are_only_shown() {
            return Ok(());
        }
        let mut named = self.links_of(space, after)?.index.shown_specs();
        if named.is_empty() {
            return Ok(());
        }
        let known = self.links_of(space, before)?.index.shown_specs();
        named.retain(|name| !known.contains(name));
        if named.is_empty() {
            return Ok(());
        }
        let shown = self.spec_names_shown_by(space)?;
        let rest: Vec<&str> = named.iter().filter(|name| !shown.contains(*name)).map(AsRef::as_ref).collect();
        if rest.is_empty() {
            return Ok(());
        }
        // The current content may refer to the same specification by another name.
        let readable = self.specs_named(specs, &rest)?;
        match rest.into_iter().find(|name| !readable.contains_key(*name)) {
            None => Ok(()),
            Some(name) => Err(Error::UnknownSpec { name: name.to_owned() }),
        }
    }
}
