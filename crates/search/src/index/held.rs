//! Versions of the indexed spaces.

use quire_domain::ids::SpaceId;
use tantivy::Searcher;

use crate::Result;
use crate::language::Language;
use crate::schema::names;
use crate::segment::id;
use crate::space_map::SpaceMap;

/// Indexed version of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexedVersion {
    /// Root hash of the tree. Every indexed page of the space is as in this tree.
    pub root: [u8; 32],
    /// Language whose stemmer the index used.
    pub language: Language,
    /// Number of pages of the tree.
    pub pages: u64,
    /// Number of pages of the tree that are not indexed yet.
    pub missing: u64,
    /// Hash of the inputs of the space's computed pages; 0 for a space without any.
    pub computed: u64,
}

/// Reads the versions of spaces from the index.
pub(super) fn read_held(searcher: &Searcher) -> Result<SpaceMap<IndexedVersion>> {
    let mut held = SpaceMap::default();
    for segment in searcher.segment_readers() {
        let column = |name| segment.fast_fields().column_opt::<u64>(name);
        let [space_high, space_low] = names::SPACE.map(column);
        let [a, b, c, d] = names::ROOT.map(column);
        let [pages, missing] = names::COUNTS.map(column);
        let (Some(pages), Some(missing), Some(computed)) = (pages?, missing?, column(names::COMPUTED)?)
        else {
            continue;
        };
        let columns = (space_high?, space_low?, a?, b?, c?, d?, column(names::LANGUAGE)?);
        let (Some(high), Some(low), Some(a), Some(b), Some(c), Some(d), Some(languages)) = columns else {
            continue;
        };
        let (spaces, roots) = ([high, low], [a, b, c, d]);
        for doc in segment.doc_ids_alive() {
            let Some(language) = languages.first(doc).and_then(Language::from_code) else { continue };
            let parts = roots.each_ref().map(|root| root.first(doc).unwrap_or(0).to_be_bytes());
            let mut root = [0; 32];
            root.iter_mut().zip(parts.as_flattened()).for_each(|(byte, part)| *byte = *part);
            let of_space = IndexedVersion {
                root,
                language,
                pages: pages.first(doc).unwrap_or(0),
                missing: missing.first(doc).unwrap_or(0),
                computed: computed.first(doc).unwrap_or(0),
            };
            held.insert(SpaceId::from_uuid(id(&spaces, doc)), of_space);
        }
    }
    Ok(held)
}
