//! The rows that searches read.
//!
//! They are brought up to date in the transaction that moves the head, from the difference alone, so a search sees a merge
//! as soon as the merge has answered.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use diesel::prelude::*;
use diesel::sql_types::{Array, Integer, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{DocumentId, PageId, SpaceId};
use quire_revision::{Entry, PageKind, PageNode, Tree, raw_diff};
use uuid::Uuid;

use crate::Result;
use crate::content::{NewDocument, SectionFact};
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};

/// A longer section is found through several rows: a vector holds no more than 256 places of a word, which the commonest characters
/// of scripts without spaces would exceed in longer texts.
const SECTION_BYTES: usize = 8 << 10;
/// How much of a heading is searched for and shown. It stands with each piece of its section.
const HEADING_BYTES: usize = 1 << 10;

statements! {
    ForgetPages = "DELETE FROM search_pages WHERE space_id = $1 AND page_id = ANY ($2)";
    InsertPages = "INSERT INTO search_pages (space_id, page_id, title, folded_title, terms) \
                   SELECT $1, p.page_id, p.title, search_fold(p.title), to_tsvector(o.search_language::regconfig, search_words(p.title)) \
                   FROM unnest($2, $3) AS p (page_id, title), spaces s JOIN organizations o ON o.id = s.organization_id WHERE s.id = $1";
    InsertSections = "INSERT INTO search_sections (space_id, page_id, ordinal, anchor, heading, body, terms) \
                      SELECT $1, p.page_id, p.ordinal, p.anchor, p.heading, p.body, \
                             setweight(to_tsvector(o.search_language::regconfig, search_words(coalesce(p.heading, ''))), 'B') \
                             || to_tsvector(o.search_language::regconfig, search_words(p.body)) \
                      FROM unnest($2, $3, $4, $5, $6) AS p (page_id, ordinal, anchor, heading, body), \
                           spaces s JOIN organizations o ON o.id = s.organization_id WHERE s.id = $1";
}

/// The columns of the sections, one vector each.
#[derive(Default)]
struct SectionColumns {
    pages: Vec<Uuid>,
    ordinals: Vec<i32>,
    anchors: Vec<Option<String>>,
    headings: Vec<Option<String>>,
    bodies: Vec<String>,
}

impl SectionColumns {
    fn push_page(&mut self, page: PageId, sections: &[SectionFact]) {
        let pieces = sections.iter().flat_map(|section| {
            let SectionFact { anchor, heading, text } = section;
            // An anchor that is cut leads nowhere.
            let anchor = anchor.clone().filter(|anchor| anchor.len() <= HEADING_BYTES);
            let heading = heading.clone().map(|heading| shortened(heading, HEADING_BYTES));
            pieces(text).into_iter().map(move |body| (anchor.clone(), heading.clone(), body))
        });
        for (ordinal, (anchor, heading, body)) in (0_i32..).zip(pieces.collect::<Vec<_>>()) {
            self.pages.push(*page.as_uuid());
            self.ordinals.push(ordinal);
            self.anchors.push(anchor);
            self.headings.push(heading);
            self.bodies.push(body);
        }
    }
}

/// Difference of two trees in search rows.
struct Changed {
    /// Pages whose rows are deleted.
    stale: Vec<Uuid>,
    /// Pages that get new rows.
    fresh: BTreeMap<PageId, Arc<PageNode>>,
}

impl Changed {
    fn between(before: &Tree, after: &Tree) -> Self {
        let mut changed = Self { stale: Vec::new(), fresh: BTreeMap::new() };
        for (old, new) in raw_diff(before, after) {
            let (old, new) = (old.and_then(searchable), new.and_then(searchable));
            if old.as_deref().map(search_facts) == new.as_deref().map(search_facts) {
                continue;
            }
            changed.stale.extend(old.map(|page| *page.id.as_uuid()));
            changed.fresh.extend(new.map(|page| (page.id, page)));
        }
        changed
    }
}

impl Reader<'_> {
    /// Extracts the sections of the pages that differ in `after` into the cache: at most one statement.
    pub(crate) fn find_sections(&mut self, space: SpaceId, before: &Tree, after: &Tree) -> Result<()> {
        let Changed { fresh, .. } = Changed::between(before, after);
        self.sections_of_pages(space, &fresh, HashMap::new()).map(drop)
    }

    /// Returns the sections of the documents of pages, from `known`, the cache, or at most one statement.
    fn sections_of_pages(
        &mut self,
        space: SpaceId,
        pages: &BTreeMap<PageId, Arc<PageNode>>,
        mut known: HashMap<DocumentId, Arc<[SectionFact]>>,
    ) -> Result<HashMap<DocumentId, Arc<[SectionFact]>>> {
        let mut missing = Vec::new();
        for id in pages.values().filter_map(|page| page.document) {
            if known.contains_key(&id) {
                continue;
            }
            match self.storage.caches().sections.get(&id) {
                Some(sections) => drop(known.insert(id, sections)),
                None => missing.push(id),
            }
        }
        for (id, document) in self.documents_of(space, &missing)? {
            known.insert(id, self.storage.sections_of(id, &document));
        }
        Ok(known)
    }
}

impl Tx<'_> {
    /// Brings the search rows of a space from the content of `before` to that of `after`: four statements at most. Sections come
    /// from `documents`, then from the cache, which [`Reader::find_sections`] fills, and are extracted here only as a last resort.
    pub(crate) fn refresh_search(
        &mut self,
        space: SpaceId,
        before: &Tree,
        after: &Tree,
        documents: &[NewDocument],
    ) -> Result<()> {
        let Changed { stale, fresh } = Changed::between(before, after);
        let space_id = *space.as_uuid();
        if !stale.is_empty() {
            ForgetPages::bind((val::<SqlUuid, _>(space_id), val::<Array<SqlUuid>, _>(stale)))
                .execute(self.connection)?;
        }
        if fresh.is_empty() {
            return Ok(());
        }
        InsertPages::bind((
            val::<SqlUuid, _>(space_id),
            val::<Array<SqlUuid>, _>(fresh.keys().map(|id| *id.as_uuid()).collect::<Vec<_>>()),
            val::<Array<Text>, _>(fresh.values().map(|page| page.title.clone()).collect::<Vec<_>>()),
        ))
        .execute(self.connection)?;
        let new = documents.iter().map(|document| (document.id(), Arc::clone(&document.sections)));
        let sections = self.sections_of_pages(space, &fresh, new.collect())?;
        self.insert_sections(space, &fresh, &sections)
    }

    fn insert_sections(
        &mut self,
        space: SpaceId,
        pages: &BTreeMap<PageId, Arc<PageNode>>,
        sections: &HashMap<DocumentId, Arc<[SectionFact]>>,
    ) -> Result<()> {
        let mut columns = SectionColumns::default();
        for page in pages.values() {
            if let Some(sections) = page.document.and_then(|id| sections.get(&id)) {
                columns.push_page(page.id, sections);
            }
        }
        if columns.pages.is_empty() {
            return Ok(());
        }
        InsertSections::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<Array<SqlUuid>, _>(columns.pages),
            val::<Array<Integer>, _>(columns.ordinals),
            val::<Array<Nullable<Text>>, _>(columns.anchors),
            val::<Array<Nullable<Text>>, _>(columns.headings),
            val::<Array<Text>, _>(columns.bodies),
        ))
        .execute(self.connection)?;
        Ok(())
    }
}

/// The page, if it can be found at all.
fn searchable(entry: Entry) -> Option<Arc<PageNode>> {
    match entry {
        Entry::Page(page) if matches!(page.kind, PageKind::Document) && !page.no_index => Some(page),
        _ => None,
    }
}

/// What of a page its search rows show.
fn search_facts(page: &PageNode) -> (PageId, &str, Option<DocumentId>) {
    (page.id, &page.title, page.document)
}

/// The beginning of a text.
fn shortened(mut text: String, bytes: usize) -> String {
    text.truncate(text.floor_char_boundary(bytes));
    text
}

/// A text cut into pieces, between words where there is such a place.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while rest.len() > SECTION_BYTES {
        let bound = rest.floor_char_boundary(SECTION_BYTES);
        let (head, _) = rest.split_at(bound);
        let at = head.rfind(|c: char| !c.is_alphanumeric()).filter(|at| *at > 0).unwrap_or(bound);
        let (piece, tail) = rest.split_at(at);
        pieces.push(piece.to_owned());
        rest = tail;
    }
    pieces.push(rest.to_owned());
    pieces
}

#[cfg(test)]
mod tests {
    use super::{SECTION_BYTES, pieces};

    #[test]
    fn a_long_text_is_cut_without_losing_a_character() {
        let text = "ab cdé ".repeat(SECTION_BYTES / 4);
        let pieces = pieces(&text);
        assert!(pieces.len() > 1 && pieces.iter().all(|piece| piece.len() <= SECTION_BYTES));
        assert_eq!(pieces.concat(), text);
        assert!(pieces.iter().all(|piece| !piece.ends_with('c')), "no word is cut");
    }
}
